// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<48x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-015]: ws.tma_load: the extents of the box must be divisors of 64 x 64, the tile; found 48 x 64
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
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-015]: ws.tma_load: swizzle mode of the tensor map must be swizzle_128b, as the tile has; found no_swizzle
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
ptx.kernel @k(%map : !ptx.tensor_map<64x64xf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-015]: ws.tma_load: elements of the tensor map must be bf16 or u16; found f16
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
ptx.kernel @k(%map : !ptx.tensor_map<2x64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-015]: ws.tma_load: the outer extents of the box must be 1; found 2 x 64 x 64
        ws.tma_load %map[0, 0, 0] to %tile
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
ptx.kernel @k(%map : !ptx.tensor_map) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-015]: ws.tma_load: tensor map must be a type with a box, such as !ptx.tensor_map<128x64xbf16, swizzle_128b>; found !ptx.tensor_map
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
        // CHECK: error[T5-WS-018]: ws.tma_load: the number of indices must be 2, as the tensor map has; found 3
        ws.tma_load %map[0, 0, 0] to %tile
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
      // CHECK: error[T5-WS-001]: ws.produce: the number of loads of %tile must be 1; found 2
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
        ws.tma_load %map[0, 1] to %tile
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
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %is = arith.cmpi eq, %n, %n : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        scf.if %is {
          // CHECK: error[T5-WS-001]: ws.tma_load: the load of %tile must be directly in the region; found in scf.if
          ws.tma_load %map[0, 0] to %tile
        }
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

!tile = !ws.smem<64x128xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-015]: ws.tma_load: the extents of the box must be 8 x 64, one swizzle atom; found 64 x 64
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
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %x : f32) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @use warps(2) threads(%t) {
      %v = arith.constant dense<0.0> : vector<8xbf16>
      ws.produce %ring by threads (%tile) {
        ws.local_store %v to %tile[%t, 0]
        ws.tma_store %tile to %map[0, 0]
        // CHECK: error[T5-WS-003]: ws.local_store: ws.local_store uses %tile behind the store of %tile by TMA
        ws.local_store %v to %tile[%t, 8]
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %x : f32) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @use warps(2) threads(%t) {
      %v = arith.constant dense<0.0> : vector<8xbf16>
      ws.produce %ring by threads (%tile) {
        ws.local_store %v to %tile[%t, 0]
        ws.tma_store %tile to %map[0, 0]
        // CHECK: error[T5-WS-003]: ws.tma_store: the number of stores of %tile by TMA must be at most 1; found 2
        ws.tma_store %tile to %map[0, 1]
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %x : f32) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @use warps(2) threads(%t) {
      %v = arith.constant dense<0.0> : vector<8xbf16>
      // CHECK: error[T5-WS-003]: ws.produce: no operation by threads in the region writes %tile, which it produces
      ws.produce %ring by threads (%tile) {
        ws.tma_store %tile to %map[0, 0]
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %x : f32) {
  // CHECK: error[T5-WS-016]: ws.ring: the number of roles that consume %ring must be 0, because TMA stores each stage; found 1
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @use warps(2) threads(%t) {
      %v = arith.constant dense<0.0> : vector<8xbf16>
      ws.produce %ring by threads (%tile) {
        ws.local_store %v to %tile[%t, 0]
        ws.tma_store %tile to %map[0, 0]
      }
    }
    ws.role @other warps(2) threads(%u) {
      ws.consume %ring by threads (%s) {
        %w = ws.local_load %s[%u, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!s = !ws.smem<256x8xf8E8M0FNU, scale>
ptx.kernel @k(%map : !ptx.tensor_map<256x8xu8>) {
  %ring = ws.ring 2 : !s
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%s) {
        // CHECK: error[T5-WS-015]: ws.tma_load: the extents of the box must be innermost ones of 512 bytes, a block of scale factors, and two around it; found 256 x 8
        ws.tma_load %map[0, 0] to %s
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%s) {
        %address = ws.address %s
        %v = ptx.ld "shared::cta" b32 [%address] -> i32
      }
    }
  }
  ptx.ret
}

// -----

!s = !ws.smem<256x8xf8E8M0FNU, scale>
ptx.kernel @k(%map : !ptx.tensor_map<4x1x32x16xu8>) {
  %ring = ws.ring 2 : !s
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%s) {
        // CHECK: error[T5-WS-015]: ws.tma_load: the extents of the box must be divisors of 2 x 2, the blocks of the tile; found 4 x 1
        ws.tma_load %map[0, 0] to %s
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%s) {
        %address = ws.address %s
        %v = ptx.ld "shared::cta" b32 [%address] -> i32
      }
    }
  }
  ptx.ret
}

// -----

!s = !ws.smem<256x8xf8E8M0FNU, scale>
ptx.kernel @k(%map : !ptx.tensor_map<2x1x32x16xu8>) {
  %ring = ws.ring 2 : !s
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%s) {
        // CHECK: error[T5-WS-015]: ws.tma_load: the blocks of the box must be 1 x 1 or 2 x 2; found 2 x 1
        ws.tma_load %map[0, 0] to %s
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%s) {
        %address = ws.address %s
        %v = ptx.ld "shared::cta" b32 [%address] -> i32
      }
    }
  }
  ptx.ret
}

// -----

!s = !ws.smem<256x8xf8E8M0FNU, scale>
ptx.kernel @k(%map : !ptx.tensor_map<1x2x32x16xu8, swizzle_32b>) {
  %ring = ws.ring 2 : !s
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%s) {
        // CHECK: error[T5-WS-015]: ws.tma_load: swizzle mode of the tensor map must be no_swizzle; found swizzle_32b
        ws.tma_load %map[0, 0] to %s
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%s) {
        %address = ws.address %s
        %v = ptx.ld "shared::cta" b32 [%address] -> i32
      }
    }
  }
  ptx.ret
}

// -----

!s = !ws.smem<256x8xf8E8M0FNU, scale>
ptx.kernel @k(%map : !ptx.tensor_map<1x1x2x32x16xu8>) {
  %ring = ws.ring 2 : !s
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%s) {
        // CHECK: error[T5-WS-018]: ws.tma_load: the number of indices must be 3, the dimensions of the tensor map around a block; found 2
        ws.tma_load %map[0, 0] to %s
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%s) {
        %address = ws.address %s
        %v = ptx.ld "shared::cta" b32 [%address] -> i32
      }
    }
  }
  ptx.ret
}

// -----

!sums = !ws.smem<64x32xf32, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x32xf32, swizzle_128b>) {
  %out = ws.ring 2 : !sums
  %one = arith.constant dense<1.0> : vector<32xf32>
  ws.warp_specialize {
    ws.role @use warps(2) threads(%t) {
      ws.produce %out by threads (%o) {
        ws.local_store %one to %o[%t, 0]
        // CHECK: error[T5-PTX-205]: ws.tma_store: operation max needs element bf16, f16, s32, s64, u32 or u64; found f32
        ws.tma_store %o to %map[0, 0] max
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %m : i32, %n : i32) attributes {cluster_dims = array<i32: 2, 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) {
    %end = arith.addi %i, %c1 : i32
    ws.role @load warps(1) {
      scf.for %at = %c0 to %c1 step %c1 : i32 {
        ws.produce %ring by tma (%tile) {
          // CHECK: error[T5-WS-022]: ws.tma_load: the dimension of the multicast must be x, y or z; found w
          ws.tma_load %map[%j, 0] to %tile multicast(w)
        }
      }
    }
    ws.role @use warps(2) threads(%t) {
      scf.for %at = %c0 to %c1 step %c1 : i32 {
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
ptx.kernel @k(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %m : i32, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) {
    %end = arith.addi %i, %c1 : i32
    ws.role @load warps(1) {
      scf.for %at = %c0 to %c1 step %c1 : i32 {
        ws.produce %ring by tma (%tile) {
          // CHECK: error[T5-WS-022]: ws.tma_load: cluster_dims of the kernel must be the extents of a cluster; found none
          ws.tma_load %map[%j, 0] to %tile multicast(x)
        }
      }
    }
    ws.role @use warps(2) threads(%t) {
      scf.for %at = %c0 to %c1 step %c1 : i32 {
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
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %m : i32, %n : i32) attributes {cluster_dims = array<i32: 2, 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) {
    %end = arith.addi %i, %c1 : i32
    ws.role @load warps(1) {
      scf.for %at = %c0 to %c1 step %c1 : i32 {
        ws.produce %ring by tma (%tile) {
          // CHECK: error[T5-WS-022]: ws.tma_load: the number of boxes of the tile must be a multiple of 2, the number of CTAs that share the tile; found 1
          ws.tma_load %map[%j, 0] to %tile multicast(x)
        }
      }
    }
    ws.role @use warps(2) threads(%t) {
      scf.for %at = %c0 to %c1 step %c1 : i32 {
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
ptx.kernel @k(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %m : i32, %n : i32) attributes {cluster_dims = array<i32: 2, 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) {
    %end = arith.addi %i, %c1 : i32
    ws.role @load warps(1) {
      scf.for %at = %c0 to %c1 step %c1 : i32 {
        ws.produce %ring by tma (%tile) {
          // CHECK: error[T5-WS-022]: ws.tma_load: for %m = 64 and %n = 64, CTA (0, 0, 0) loads tile [2, 0] and CTA (1, 0, 0) loads tile [3, 0] of %map, but multicast(x) gives both the same tile
          ws.tma_load %map[%i, 0] to %tile multicast(x)
        }
      }
    }
    ws.role @use warps(2) threads(%t) {
      scf.for %at = %c0 to %c1 step %c1 : i32 {
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
ptx.kernel @k(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %m : i32, %n : i32) attributes {cluster_dims = array<i32: 2, 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) {
    %end = arith.addi %i, %c1 : i32
    ws.role @load warps(1) {
      scf.for %at = %c0 to %end step %c1 : i32 {
        // CHECK: error[T5-WS-022]: ws.produce: for %m = 64 and %n = 64, the number of stages of %ring that @load produces is 3 in CTA (0, 0, 0) and 4 in CTA (1, 0, 0), which share tiles
        ws.produce %ring by tma (%tile) {
          ws.tma_load %map[%j, 0] to %tile multicast(x)
        }
      }
    }
    ws.role @use warps(2) threads(%t) {
      scf.for %at = %c0 to %end step %c1 : i32 {
        ws.consume %ring by threads (%tile) {
          %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
        }
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<16x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<1x64xbf16, swizzle_128b>, %n : i32, %rows : vector<8xi32>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-018]: ws.tma_load: the rows must be a vector<16xi32>, or 16 values of i32, one for each row of the tile; found vector<8xi32>
        ws.tma_load %map[rows %rows, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[0, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<8x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<1x64xbf16, swizzle_128b>, %n : i32, %rows : vector<8xi32>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-018]: ws.tma_load: the rows must be a vector<8xi32>, or 8 values of i32, one for each row of the tile; found 2 values of i32
        ws.tma_load %map[rows(%n, %n), 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[0, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<8x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<8x64xbf16, swizzle_128b>, %n : i32, %rows : vector<8xi32>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-015]: ws.tma_load: the box must be 1 x 64, one row, because the copy has a list of rows; found 8 x 64
        ws.tma_load %map[rows %rows, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[0, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<8x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<1x32xbf16, swizzle_128b>, %n : i32, %rows : vector<8xi32>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-015]: ws.tma_load: the extents of the box must be 1 x 64, a row of an atom; found 1 x 32
        ws.tma_load %map[rows %rows, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[0, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<8x64xbf16, k_major, no_swizzle>
ptx.kernel @k(%map : !ptx.tensor_map<1x8xbf16>, %n : i32, %rows : vector<8xi32>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-015]: ws.tma_load: swizzle mode of a tile with a list of rows must be
        ws.tma_load %map[rows %rows, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[0, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<8x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<1x64xbf16, swizzle_128b>, %n : i32, %rows : vector<8xi32>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-018]: ws.tma_load: the number of indices must be 2, as the tensor map has; found 3
        ws.tma_load %map[rows %rows, 0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[0, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<8x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<1x64xbf16, swizzle_128b>, %n : i32, %rows : vector<8xi32>) attributes {cluster_dims = array<i32: 2>} {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-022]: ws.tma_load: multicast must be left out, because each CTA loads rows of its own list; found multicast
        ws.tma_load %map[rows %rows, 0] to %tile multicast(x)
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[0, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<1x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: error[T5-WS-015]: ws.tma_load: the extents of the box must be 8 x 64, or a multiple of 8 rows that divides 64; found 1 x 64
        // CHECK: or load rows from a list, as in ws.tma_load %map[rows %list, %index]
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
