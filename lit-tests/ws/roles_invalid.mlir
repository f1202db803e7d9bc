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
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  // CHECK: error[T5-WS-017]: ws.warp_specialize: this operation must be the only one of its kernel; found a second one
  ws.warp_specialize {
    ws.role @other warps(1) {
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k() {
  // CHECK: error[T5-WS-017]: ws.warp_specialize: the number of roles must be one or more; found none
  ws.warp_specialize {
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  // CHECK: error[T5-WS-017]: ws.warp_specialize: the number of threads of all roles must be at most 1024; found 1056
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(32) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[0, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) attributes {reqntid = array<i32: 128>} {
  %ring = ws.ring 2 : !tile
  // CHECK: error[T5-WS-017]: ws.warp_specialize: reqntid of the kernel must be 96, as the roles have; found 128
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
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @use warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    // CHECK: error[T5-WS-017]: ws.role: the name of the role must be a name of its own; found @use, like an earlier role
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
  // CHECK: error[T5-WS-017]: ws.warp_specialize: an operation of ws.warp_specialize must be roles, and operations that only compute; found ptx.fence.mbarrier_init
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
    ptx.fence.mbarrier_init
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
      ws.elected {
        // CHECK: error[T5-WS-005]: ws.role_barrier: the region around it must be outside of it; found ws.elected
        ws.role_barrier
      }
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k() {
  // CHECK: error[T5-WS-017]: ws.role: the operation around ws.role must be ws.warp_specialize; found ptx.kernel
  ws.role @a warps(1) {
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %ring = ws.ring 2 : !tile
  // CHECK: expected one size for each of 2 indices, at most 3; found 1
  ws.warp_specialize tiles(%i, %j) of (%n by 64) {
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
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @pair(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %m : i32) {
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  // CHECK: error[T5-WS-017]: ws.warp_specialize: the extent along x of the cluster of a pair must be even; found 1
  ws.warp_specialize pair tiles(%i) of (%m by 256) {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%sa, %sb) {
        ws.tma_load %a_map[half %i, 0] to %sa
        ws.tma_load %b_map[half 0, 0] to %sb
      }
    }
    ws.role @mma warps(1) leader {
      ws.produce %acc by mma (%sd) {
        ws.consume %ab by mma (%sa, %sb) {
          ws.mma %sd, %sa, %sb
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%sd) {
        %v = ws.tmem_load %sd[0] -> vector<64xf32>
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<32x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @pair(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %m : i32) attributes {cluster_dims = array<i32: 2>} {
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize pair tiles(%i) of (%m by 256) {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%sa, %sb) {
        ws.tma_load %a_map[half %i, 0] to %sa
        ws.tma_load %b_map[half 0, 0] to %sb
      }
    }
    // CHECK: error[T5-WS-017]: ws.role: in a pair, a role with a region by mma must be leader; found no leader
    // CHECK: help: write leader after warps(1)
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%sd) {
        ws.consume %ab by mma (%sa, %sb) {
          ws.mma %sd, %sa, %sb
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%sd) {
        %v = ws.tmem_load %sd[0] -> vector<64xf32>
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<32x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @pair(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %m : i32) attributes {cluster_dims = array<i32: 2>} {
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize pair tiles(%i) of (%m by 256) {
    // CHECK: error[T5-WS-017]: ws.role: in a pair, a role with a region by tma must be no leader; found leader
    // CHECK: help: leave out leader
    ws.role @load warps(1) leader {
      ws.produce %ab by tma (%sa, %sb) {
        ws.tma_load %a_map[half %i, 0] to %sa
        ws.tma_load %b_map[half 0, 0] to %sb
      }
    }
    ws.role @mma warps(1) leader {
      ws.produce %acc by mma (%sd) {
        ws.consume %ab by mma (%sa, %sb) {
          ws.mma %sd, %sa, %sb
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%sd) {
        %v = ws.tmem_load %sd[0] -> vector<64xf32>
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @pair(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %m : i32) attributes {cluster_dims = array<i32: 2>} {
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize tiles(%i) of (%m by 256) {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%sa, %sb) {
        ws.tma_load %a_map[%i, 0] to %sa
        ws.tma_load %b_map[0, 0] to %sb
      }
    }
    // CHECK: error[T5-WS-017]: ws.role: leader must be left out, because the CTAs do not form pairs; found leader
    ws.role @mma warps(1) leader {
      ws.produce %acc by mma (%sd) {
        ws.consume %ab by mma (%sa, %sb) {
          ws.mma %sd, %sa, %sb
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%sd) {
        %v = ws.tmem_load %sd[0] -> vector<64xf32>
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @pair(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %m : i32) attributes {cluster_dims = array<i32: 2>} {
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize tiles(%i) of (%m by 256) {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%sa, %sb) {
        // CHECK: error[T5-WS-018]: ws.tma_load: half must be left out, because the CTAs do not form pairs; found half
        ws.tma_load %a_map[half %i, 0] to %sa
        ws.tma_load %b_map[0, 0] to %sb
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%sd) {
        ws.consume %ab by mma (%sa, %sb) {
          ws.mma %sd, %sa, %sb
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%sd) {
        %v = ws.tmem_load %sd[0] -> vector<64xf32>
      }
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k() {
  // CHECK: error[T5-WS-020]: ws.warp_specialize: the number of registers of @compute must be 24, 32, ... 256; found 100
  ws.warp_specialize {
    ws.role @compute warps(4) registers(100) { ws.role_barrier }
  }
  ptx.ret
}

// -----

ptx.kernel @k() {
  // CHECK: error[T5-WS-020]: ws.warp_specialize: the number of registers of roles that share a warpgroup must be the same; found 40 in @load, none in @mma
  ws.warp_specialize {
    ws.role @compute warps(4) registers(232) { ws.role_barrier }
    ws.role @load warps(1) registers(40) { ws.role_barrier }
    ws.role @mma warps(1) { ws.role_barrier }
  }
  ptx.ret
}

// -----

ptx.kernel @k() {
  // CHECK: error[T5-WS-020]: ws.warp_specialize: the number of registers of all threads must be at most 64512, 168 for each of 384 threads; found 80896
  ws.warp_specialize {
    ws.role @compute warps(4) registers(232) { ws.role_barrier }
    ws.role @more warps(4) registers(232) { ws.role_barrier }
    ws.role @load warps(1) { ws.role_barrier }
  }
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k() {
  %false = arith.constant false
  %acc = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.elected {
          // CHECK: error[T5-CTA_GROUP-002]: tcgen05.shift: cta_group must be 1, because ws.warp_specialize has no pair; found 2
          tcgen05.shift cta_group_2 %d : !d
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%d) {
        %v = ws.tmem_load %d[0] -> vector<64xf32>
      }
    }
  }
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k() attributes {cluster_dims = array<i32: 2>} {
  %false = arith.constant false
  %acc = ws.ring 1 : !d
  ws.warp_specialize pair {
    ws.role @mma warps(1) leader {
      ws.produce %acc by mma (%d) {
        ws.elected {
          // CHECK: error[T5-CTA_GROUP-002]: tcgen05.shift: cta_group must be 2, because ws.warp_specialize has pair; found 1
          tcgen05.shift %d : !d
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%d) {
        %v = ws.tmem_load %d[0] -> vector<64xf32>
      }
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%m : i32, %n : i32) {
  // CHECK: error[T5-WS-017]: ws.warp_specialize: the number of dimensions of tiles in groups must be 2 or more; found 1
  ws.warp_specialize tiles(%i) of (%m by 64) group(8) {
    ws.role @wait warps(1) {
      ws.role_barrier
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%m : i32, %n : i32) {
  // CHECK: error[T5-WS-017]: ws.warp_specialize: the number of tiles of a group along the first dimension must be 1 or more; found 0
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) group(0) {
    ws.role @wait warps(1) {
      ws.role_barrier
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%m : i32, %n : i32) attributes {cluster_dims = array<i32: 4>} {
  // CHECK: error[T5-WS-017]: ws.warp_specialize: the number of tiles of a group along the first dimension must be a multiple of 4, the tiles of a cluster; found 6
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) group(6) {
    ws.role @wait warps(1) {
      ws.role_barrier
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%m : i32, %n : i32) {
  // CHECK: error[T5-WS-017]: ws.warp_specialize: the order of tiles must be persistent or clc; found both
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) persistent clc {
    ws.role @wait warps(1) {
      ws.role_barrier
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%m : i32) {
  // CHECK: error[T5-WS-017]: ws.warp_specialize: the number of threads of all roles must be at most 1024; found 1056
  ws.warp_specialize tiles(%i) of (%m by 64) clc {
    ws.role @wait warps(32) {
      ws.role_barrier
    }
  }
  ptx.ret
}
