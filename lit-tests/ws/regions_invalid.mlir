// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        // CHECK: error[T5-WS-005]: ws.consume: the region around it must be a region of another ring; found one of the same ring
        ws.consume %ring by threads (%again) {
        }
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.elected {
      // CHECK: error[T5-WS-005]: ws.consume: the operation around it must be scf.for, scf.if, or a region; found ws.elected
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    // CHECK: error[T5-WS-017]: ws.role: the number of warps of a role with a region by tma must be 1; found 2
    // CHECK: help: write warps(1)
    ws.role @load warps(2) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      // CHECK: error[T5-WS-018]: ws.consume: the types of the values at the end of the region must be f32; found none
      %x = ws.consume %ring by threads (%tile) -> f32 {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      // CHECK: expected 1 name, one for each buffer of a stage; found 2
      ws.consume %ring by threads (%tile, %more) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      // CHECK: expected a ring; found a value of type i32
      ws.consume %t by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      // CHECK: %rong is used but not defined before
      // CHECK: help: did you mean %ring?
      ws.consume %rong by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
      // CHECK: error[T5-WS-005]: ws.produce: a region of %ring in @use must be consume by threads, like the earlier one; found produce by threads
      ws.produce %ring by threads (%tile) {
        %a = ws.address %tile
        ptx.st "shared::cta" b32 [%a], {%t}
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
    ws.role @again warps(1) {
      // CHECK: error[T5-WS-005]: ws.produce: the number of roles that produce %ring must be 1, unless all are by threads; found 2
      ws.produce %ring by tma (%other) {
        ws.tma_load %map[0, 0] to %other
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %c = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      // CHECK: error[T5-WS-006]: scf.for: what decides whether a region of %ring runs must be the same for all threads of the role; found it depends on %t
      scf.for %i = %c to %t step %one : i32 {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ring = ws.ring 2 : !tile
  %more = arith.addi %n, %one : i32
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c to %n step %one : i32 {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
      }
    }
    ws.role @use warps(2) threads(%t) {
      scf.for %i = %c to %more step %one : i32 {
      // CHECK: error[T5-WS-011]: ws.consume: for %n = 1, @load produces 1 stage of %ring, but @use consumes 2 stages
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %o = ws.ring 1 : !tile
  %ring = ws.ring 1 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce  %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
      // CHECK: error[T5-WS-012]: ws.produce: the roles never finish: @load waits for a free stage of %ring (line
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
      ws.produce %o by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %o by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      // CHECK: error[T5-WS-003]: ws.consume: no operation by threads in the region reads %tile, which it consumes
      ws.consume %ring by threads (%tile) {
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(1) threads(%t) {
      ws.consume %ring by mma (%tile) {
        // CHECK: error[T5-WS-002]: ws.local_load: the use of %tile in the region by mma must be ws.mma, or a raw operation in ws.elected; found ws.local_load
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
        // CHECK: error[T5-WS-004]: ws.local_store: the use of %tile by a consumer must be a read; found ws.local_store
        ws.local_store %v to %tile[%t, 8]
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  %ones = arith.constant dense<1.0> : vector<8xbf16>
  ws.warp_specialize {
    ws.role @one warps(2) threads(%t) {
      ws.produce %ring by threads (%tile) {
        ws.local_store %ones to %tile[%t, 0]
        ws.tma_store %tile to %map[0, 0]
      }
    }
    ws.role @other warps(2) threads(%t) {
      // CHECK: error[T5-WS-005]: ws.produce: the number of roles that produce %ring must be 1, because TMA stores each stage; found 2
      ws.produce %ring by threads (%tile) {
        ws.local_store %ones to %tile[%t, 0]
        ws.tma_store %tile to %map[1, 0]
      }
    }
  }
  ptx.ret
}

// -----

// One thread issues the store; which one is not defined.
!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  %ones = arith.constant dense<1.0> : vector<8xbf16>
  ws.warp_specialize {
    ws.role @store warps(2) threads(%t) {
      %zero = arith.constant 0 : i32
      %width = arith.constant 32 : i32
      %warp = arith.divui %t, %width : i32
      %first = arith.cmpi eq, %warp, %zero : i32
      scf.if %first {
        ws.elected { %x = ptx.special_register tid.x }
      }
      %row = arith.addi %t, %zero : i32
      ws.produce %ring by threads (%tile) {
        ws.local_store %ones to %tile[%t, 0]
        // CHECK: error[T5-WS-006]: ws.tma_store: %row of ws.tma_store, which one thread issues, must be the same for all threads of the role; found it depends on %t
        ws.tma_store %tile to %map[%row, 0]
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  ws.warp_specialize {
    ws.role @wait warps(2) threads(%t) {
      %width = arith.constant 32 : i32
      %is_first = arith.cmpi ult, %t, %width : i32
      // CHECK: error[T5-WS-006]: scf.if: what decides whether ws.role_barrier runs must be the same for all threads of the role; found it depends on %t
      scf.if %is_first { ws.role_barrier }
    }
  }
  ptx.ret
}

// -----

// The wrong agent is the only error, although the role has two warps.
!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  %ones = arith.constant dense<1.0> : vector<8xbf16>
  ws.warp_specialize {
    ws.role @make warps(2) threads(%t) {
      ws.produce %ring by threads (%tile) {
        ws.local_store %ones to %tile[%t, 0]
      }
    }
    // CHECK-NOT: the number of warps
    // CHECK: error[T5-WS-017]: ws.consume: the word after by must be mma or threads; found tma
    // CHECK: help: write by mma or by threads; put ws.tma_store of a tile into the region that produces the tile
    ws.role @store warps(2) {
      ws.consume %ring by tma (%tile) {
        ws.tma_store %tile to %map[0, 0]
      }
    }
  }
  ptx.ret
}
