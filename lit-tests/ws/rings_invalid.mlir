// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  // CHECK: error[T5-WS-016]: ws.ring: the number of stages must be 1 or more; found 0
  %ring = ws.ring 0 : !tile
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
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  // CHECK: error[T5-WS-016]: ws.ring: the number of stages of a ring with in_place must be 1; found 2
  %ring = ws.ring 2 in_place : !tile
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
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  // CHECK: error[T5-WS-016]: ws.ring: the memory of the buffers must be shared memory or tensor memory; found both
  %ring = ws.ring 2 : !tile, !tcgen05.tmem<128x64xf32>
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile, %d) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile, %d) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<60x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<60x64xbf16, swizzle_128b>) {
  // CHECK: error[T5-DESC-007]
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
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  // CHECK: error[T5-WS-016]: ws.ring: the number of roles that consume %ring must be 1 or more; found 0
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  // CHECK: error[T5-WS-016]: ws.ring: the number of roles that produce %ring must be 1 or more; found 0
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
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
  %ring = ws.ring 29 : !tile
  %other = ws.alloc : !tile
  // CHECK: error[T5-WS-009]: ws.warp_specialize: the bytes of shared memory (%ring: 29 x 8192, %other: 1 x 8192) must be at most 232448; found 245760
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
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  // CHECK: error[T5-WS-005]: ws.alloc: the role that uses a ws.alloc must be one role; a ring hands data to another; found @load and @use
  %other = ws.alloc : !tile
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
      %a = ws.address %other
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
      %b = ws.address %other
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  // CHECK: expected the type of a buffer, !ws.smem or !tcgen05.tmem; found f32
  %ring = ws.ring 2 : f32
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
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<32x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x32xf32>
ptx.kernel @k(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>) {
  // CHECK: error[T5-WS-005]: ws.alloc: the agent that uses a ws.alloc must be threads or mma; a ring hands data from one to the other; found both
  %a = ws.alloc : !a
  %ring = ws.ring 2 : !b
  %sums = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%b) {
        ws.tma_load %map[0, 0] to %b
      }
    }
    ws.role @mma warps(1) threads(%t) {
      %ones = arith.constant dense<1.0> : vector<64xbf16>
      ws.local_store %ones to %a[%t, 0]
      ws.produce %sums by mma (%d) {
        ws.consume %ring by mma (%b) { ws.mma %d, %a, %b }
      }
    }
    ws.role @use warps(4) threads(%t) {
      ws.consume %sums by threads (%d) {
        %v = ws.tmem_load %d[0] -> vector<8xf32>
      }
    }
  }
  ptx.ret
}
