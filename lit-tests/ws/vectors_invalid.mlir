// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%a, %b) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %ab by mma (%a, %b) {
          ws.mma %d, %a, %b
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%d) {
        // CHECK: error[T5-WS-014]: ws.tmem_load: the columns of the vector must be within 0 to 63; found 1 to 64
        %v = ws.tmem_load %d[1] -> vector<64xf32>
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%a, %b) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %ab by mma (%a, %b) {
          ws.mma %d, %a, %b
        }
      }
    }
    ws.role @read warps(2) {
      ws.consume %acc by threads (%d) {
        // CHECK: error[T5-WS-014]: ws.tmem_load: the number of warps of the role must be 4; found 2 in @read
        %v = ws.tmem_load %d[0] -> vector<64xf32>
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%a, %b) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %ab by mma (%a, %b) {
          ws.mma %d, %a, %b
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%d) {
        // CHECK: error[T5-WS-018]: ws.tmem_load: the element type of the vector must be f32, as the buffer has; found i32
        %v = ws.tmem_load %d[0] -> vector<64xi32>
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%a, %b) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %ab by mma (%a, %b) {
          ws.mma %d, %a, %b
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%d) {
        // CHECK: error[T5-WS-018]: ws.tmem_load: the number of indices must be 1: [column]; found 2
        %v = ws.tmem_load %d[0, 0] -> vector<64xf32>
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%a, %b) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %ab by mma (%a, %b) {
          ws.mma %d, %a, %b
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%d) {
        // CHECK: error[T5-WS-018]: ws.tmem_load: what a thread holds must be a vector with one dimension, such as vector<32xf32>; found vector<2x2xf32>
        %v = ws.tmem_load %d[0] -> vector<2x2xf32>
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
        // CHECK: error[T5-WS-014]: ws.local_load: the row must be within 0 to 63; found 64
        %v = ws.local_load %tile[64, 0] -> vector<8xbf16>
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
    ws.role @use warps(4) threads(%t) {
      ws.consume %ring by threads (%tile) {
        // CHECK: error[T5-WS-014]: ws.local_load: the row must be within 0 to 63; found 127
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c16 = arith.constant 16 : i32
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%a, %b) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %ab by mma (%a, %b) {
          ws.mma %d, %a, %b
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%d) {
        scf.for %i = %c0 to %c3 step %c1 : i32 {
          %twice = arith.addi %i, %i : i32
          %column = arith.muli %twice, %c16 : i32
          // CHECK: error[T5-WS-014]: ws.tmem_load: the columns of the vector must be within 0 to 63; found 64 to 95
          %v = ws.tmem_load %d[%column] -> vector<32xf32>
        }
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c16 = arith.constant 16 : i32
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%a, %b) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %ab by mma (%a, %b) {
          ws.mma %d, %a, %b
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%d) {
        scf.for %i = %c0 to %c3 step %c1 : i32 {
          %twice = arith.addi %i, %i : i32
          %column = arith.muli %twice, %c16 : i32
          %before = arith.subi %column, %c16 : i32
          // CHECK: error[T5-WS-014]: ws.tmem_load: the columns of the vector must be within 0 to 63; found -16 to -1
          %w = ws.tmem_load %d[%before] -> vector<16xf32>
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
      ws.consume %ring by threads (%tile) {
        // CHECK: error[T5-WS-018]: ws.local_load: the number of elements of the vector must be a multiple of 8; found 4
        %v = ws.local_load %tile[%t, 0] -> vector<4xbf16>
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
        // CHECK: error[T5-WS-018]: ws.local_load: the column of a tile must be a number; found a value
        %v = ws.local_load %tile[%t, %t] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %p : i64, %n : i32) {
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
      // CHECK: error[T5-WS-018]: ws.global_load: the element type of the vector must be a type of 16 bits or more, an integer of 8 bits, f8E4M3FN or f8E5M2; found i4
      %g = ws.global_load %p[0, 0] of (%n, %n) -> vector<8xi4>
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%p : i64, %n : i32, %q : i64) {
  ws.warp_specialize {
    ws.role @use warps(2) threads(%t) {
      %c8 = arith.constant 8 : i32
      %c7 = arith.constant 7 : i32
      // CHECK: error[T5-WS-018]: ws.global_load: the stride of the rows must be at least 8, the columns of the matrix; found 7
      %g = ws.global_load %p[0, 0] of (%n, %c8) stride %c7 -> vector<8xf32>
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%p : i64, %n : i32, %q : i64) {
  ws.warp_specialize {
    ws.role @use warps(2) threads(%t) {
      // CHECK: error[T5-WS-018]: ws.global_load: the element type of the vector must be a type of at most 32 bits; found i64
      %g = ws.global_load %p[0, 0] of (%n, %n) -> vector<8xi64>
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%p : i64, %n : i32, %q : i64) {
  ws.warp_specialize {
    ws.role @use warps(2) threads(%t) {
      // CHECK: error[T5-WS-018]: ws.global_load: the element type of the vector must be a type of 16 bits or more, an integer of 8 bits, f8E4M3FN or f8E5M2; found f6E3M2FN
      %g = ws.global_load %p[0, 0] of (%n, %n) -> vector<8xf6E3M2FN>
    }
  }
  ptx.ret
}

// -----

!s = !ws.smem<128x4xf8E8M0FNU, scale>
ptx.kernel @k(%map : !ptx.tensor_map<1x1x32x16xu8>) {
  %ring = ws.ring 2 : !s
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%s) {
        ws.tma_load %map[0, 0] to %s
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%s) {
        // CHECK: error[T5-WS-018]: ws.local_load: the buffer must be a tile with a layout, such as !ws.smem<128x64xbf16, k_major, swizzle_128b>; found !ws.smem<128x4xf8E8M0FNU, scale>
        %v = ws.local_load %s[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// -----

!p = !tcgen05.tmem<128x32xbf16, a>
ptx.kernel @k(%n : i32) {
  %ring = ws.ring 1 : !p
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %v = arith.constant dense<1.0> : vector<3xbf16>
  ws.warp_specialize {
    ws.role @write warps(4) {
      %even = arith.muli %n, %two : i32
      %odd = arith.addi %even, %three : i32
      ws.produce %ring by threads (%p) {
        // CHECK: error[T5-WS-018]: ws.tmem_store: the number of elements of the vector must be a multiple of 2, the elements of a cell; found 3
        ws.tmem_store %v to %p[%even]
      }
    }
    ws.role @read warps(4) {
      ws.consume %ring by threads (%p) { %w = ws.tmem_load %p[0] -> vector<8xbf16> }
    }
  }
  ptx.ret
}

// -----

!p = !tcgen05.tmem<128x32xbf16, a>
ptx.kernel @k(%n : i32) {
  %ring = ws.ring 1 : !p
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %v = arith.constant dense<1.0> : vector<4xbf16>
  ws.warp_specialize {
    ws.role @write warps(4) {
      %even = arith.muli %n, %two : i32
      %odd = arith.addi %even, %three : i32
      ws.produce %ring by threads (%p) {
        // CHECK: error[T5-WS-018]: ws.tmem_store: the first column must be a multiple of 2, the elements of a cell; found 5
        ws.tmem_store %v to %p[5]
      }
    }
    ws.role @read warps(4) {
      ws.consume %ring by threads (%p) { %w = ws.tmem_load %p[0] -> vector<8xbf16> }
    }
  }
  ptx.ret
}

// -----

!p = !tcgen05.tmem<128x32xbf16, a>
ptx.kernel @k(%n : i32) {
  %ring = ws.ring 1 : !p
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %v = arith.constant dense<1.0> : vector<4xbf16>
  ws.warp_specialize {
    ws.role @write warps(4) {
      %even = arith.muli %n, %two : i32
      %odd = arith.addi %even, %three : i32
      ws.produce %ring by threads (%p) {
        // CHECK: error[T5-WS-018]: ws.tmem_store: the first column must be a multiple of 2, the elements of a cell; found 1 more
        ws.tmem_store %v to %p[%odd]
      }
    }
    ws.role @read warps(4) {
      ws.consume %ring by threads (%p) { %w = ws.tmem_load %p[0] -> vector<8xbf16> }
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%p : i64, %n : i32) {
  ws.warp_specialize {
    ws.role @use warps(1) threads(%t) {
      // CHECK: error[T5-WS-018]: ws.global_load: the number of elements of the vector must be a multiple of 4, the elements of a register; found 6
      %v = ws.global_load %p[%t, 0] of (%n, %n) -> vector<6xi8>
    }
  }
  ptx.ret
}
