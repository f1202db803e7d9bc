// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      // CHECK: error[T5-WS-007]: ws.consumer_wait: %k is not released before the end of the role
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        // CHECK: error[T5-WS-007]: ws.consumer_wait: %k is not released before the end of the iteration
        %k, %a = ws.consumer_wait %ring by threads
        %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      // CHECK: error[T5-WS-007]: scf.for: %held is not released before the end of the iteration
      %last = scf.for %i = %c0 to %c2 step %c1 iter_args(%held = %k) -> (!ws.token<consume>) : i32 {
        %next, %b = ws.consumer_wait %ring by threads
        %w = ws.local_load %b[%t, 0] -> vector<8xbf16>
        scf.yield %next : !ws.token<consume>
      }
      ws.consumer_release %last
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      ws.consumer_release %k
      // CHECK: error[T5-WS-007]: ws.consumer_release: ws.consumer_release takes %k, a stage that the role no longer holds
      ws.consumer_release %k
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      // CHECK: error[T5-WS-007]: scf.if: %k is released on one side of scf.if only
      scf.if %p {
        ws.consumer_release %k
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        // CHECK: error[T5-WS-007]: ws.consumer_release: ws.consumer_release takes %k in each iteration, but the role takes this stage once, before the loop
        ws.consumer_release %k
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      ws.consumer_release %k
      // CHECK: error[T5-WS-007]: ws.local_load: ws.local_load uses %a after its stage has been released
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %address = ws.address %a
      ws.consumer_release %k
      // CHECK: error[T5-WS-007]: ptx.st: ptx.st uses %address after its stage has been released
      ptx.st "shared::cta" b32 [%address], {%t}
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %last = scf.for %i = %c0 to %c2 step %c1 iter_args(%held = %k) -> (!ws.token<consume>) : i32 {
        scf.yield %held : !ws.token<consume>
      }
      // CHECK: error[T5-WS-007]: ws.local_load: ws.local_load uses %a after %k has been passed on
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      ws.consumer_release %last
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      // CHECK: error[T5-WS-007]: scf.for: scf.for passes on %a without the token of its stage
      %last = scf.for %i = %c0 to %c2 step %c1 iter_args(%b = %a) -> (!tile) : i32 {
        scf.yield %b : !tile
      }
      ws.consumer_release %k
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  %other = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
        ws.produce %other by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      %last = scf.for %i = %c1 to %c2 step %c1 iter_args(%held = %k) -> (!ws.token<consume>) : i32 {
        ws.consumer_release %held
        %next, %b = ws.consumer_wait %other by threads
        %w = ws.local_load %b[%t, 0] -> vector<8xbf16>
        // CHECK: error[T5-WS-007]: scf.yield: scf.yield passes on a stage of %other where another path passes on one of %ring
        scf.yield %next : !ws.token<consume>
      }
      ws.consumer_release %last
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      %l, %b = ws.consumer_wait %ring by threads
      %w = ws.local_load %b[%t, 0] -> vector<8xbf16>
      %k0, %k1, %x = scf.if %p -> (!ws.token<consume>, !ws.token<consume>, !tile) {
        scf.yield %k, %l, %a : !ws.token<consume>, !ws.token<consume>, !tile
      } else {
        // CHECK: error[T5-WS-007]: scf.yield: scf.yield passes on %b where another path passes on %a, which is not the same buffer of the stage of the same token
        scf.yield %k, %l, %b : !ws.token<consume>, !ws.token<consume>, !tile
      }
      ws.consumer_release %k0
      ws.consumer_release %k1
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      %l, %b = ws.consumer_wait %ring by threads
      %w = ws.local_load %b[%t, 0] -> vector<8xbf16>
      // CHECK: error[T5-WS-007]: arith.select: arith.select takes %l, but a token is only passed on
      %m = arith.select %p, %l, %k : !ws.token<consume>
      ws.consumer_release %m
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      ws.consumer_release %k
      // CHECK: error[T5-WS-007]: ws.mbarrier: ws.mbarrier uses %k, a stage that the role no longer holds
      %address = ws.mbarrier %k empty
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      // CHECK: error[T5-WS-018]: ws.mbarrier: the barrier object of a !ws.token<consume> must be empty; found full
      %address = ws.mbarrier %k full
      ws.consumer_release %k
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      // CHECK: error[T5-WS-018]: ws.producer_commit: the type of the token must be !ws.token<produce>; found !ws.token<consume>
      ws.producer_commit %k
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      // CHECK: error[T5-WS-018]: ws.consumer_wait: the type of the token must be !ws.token<consume>; found !ws.token<produce>
      %k, %a = "ws.consumer_wait"(%ring) <{by = "threads"}> : (!ws.ring<2 x (!tile)>) -> (!ws.token<produce>, !tile)
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      ws.elected {
        // CHECK: error[T5-WS-005]: ws.consumer_release: the operation around it must be scf.for, scf.if, or a region; found ws.elected
        ws.consumer_release %k
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%b) {
        // CHECK: error[T5-WS-005]: ws.consumer_wait: the region around it must be a region of another ring; found one of the same ring
        %k, %a = ws.consumer_wait %ring by threads
        ws.consumer_release %k
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %even = arith.remui %t, %c2 : i32
      %is_even = arith.cmpi eq, %even, %c0 : i32
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      // CHECK: error[T5-WS-006]: scf.if: what decides whether ws.consumer_release of %ring runs must be the same for all threads of the role; found it depends on %t
      scf.if %is_even {
        ws.consumer_release %k
      } else {
        ws.consumer_release %k
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      // CHECK: error[T5-WS-003]: ws.consumer_wait: no operation by threads after ws.consumer_wait reads %a, which it consumes
      %k, %a = ws.consumer_wait %ring by threads
      ws.consumer_release %k
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k = arith.constant 0 : i32
      // CHECK: error: expected a token; found a value of type i32
      ws.consumer_release %k
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
      }
    }
    ws.role @use warps(2) threads(%t) {
      // CHECK: error: expected a ring; found a value of type i32
      %k, %a = ws.consumer_wait %n by threads
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      %k, %a = ws.producer_acquire %ring by tma
      scf.if %p {
        // CHECK: error[T5-WS-001]: ws.tma_load: the load of %a must be in the block of ws.producer_acquire; found in scf.if
        ws.tma_load %map[0, 0] to %a
      }
      ws.producer_commit %k
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      ws.consumer_release %k
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      // CHECK: error[T5-WS-001]: ws.producer_acquire: the number of loads of %a must be 1; found 0
      %k, %a = ws.producer_acquire %ring by tma
      ws.producer_commit %k
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      ws.consumer_release %k
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c0 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      %k, %a = ws.producer_acquire %ring by tma
      ws.producer_commit %k
      // CHECK: error[T5-WS-007]: ws.tma_load: ws.tma_load uses %a after its stage has been committed
      ws.tma_load %map[0, 0] to %a
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      ws.consumer_release %k
    }
  }
  ptx.ret
}
