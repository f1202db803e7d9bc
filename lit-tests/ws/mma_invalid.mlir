// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf16>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<64x64xf16, swizzle_128b>) {
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
          // CHECK: error[T5-WS-018]: ws.mma: the element types must be types that one kind has; found bf16 x f16 -> f16
          ws.mma %d, %a, %b
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

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x32xf32>
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
          // CHECK: error[T5-SHAPE-005]: ws.mma: extents of D must be 128x64; found 128x32
          ws.mma %d, %a, %b
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%d) {
        %v = ws.tmem_load %d[0] -> vector<32xf32>
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x128xbf16, k_major, swizzle_128b, mn_first>
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
          // CHECK: error[T5-WS-018]: ws.mma: the number of elements along K must be one multiple of 16; found 64 of A and 128 of B
          ws.mma %d, %a, %b
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

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 in_place : !d
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
          // CHECK: error[T5-WS-018]: ws.mma: ws.mma needs accumulate, unless a production of a ring gives D
          ws.mma %d, %a, %b
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
          ws.elected {
            // CHECK: error[T5-WS-005]: ws.mma: the operation around ws.mma must be scf.for, scf.if or a region; found ws.elected
            ws.mma %d, %a, %b
          }
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
        // CHECK: error[T5-WS-002]: ws.consume: no operation by mma in the region reads %a, which it consumes
        ws.consume %ab by mma (%a, %b) {
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

!a = !ws.smem<128x128xf8E4M3FN, k_major, swizzle_128b>
!ts = !tcgen05.tmem<128x3xf8E8M0FNU, scale>
ptx.kernel @k(%map : !ptx.tensor_map<128x128xu8, swizzle_128b>, %s_map : !ptx.tensor_map<1x1x32x16xu8>) {
  %false = arith.constant false
  %in = ws.ring 2 : !a, !ws.smem<128x3xf8E8M0FNU, scale>
  %d = ws.alloc : !tcgen05.tmem<128x128xf32>
  %t = ws.alloc : !ts
  %e = ws.alloc : !tcgen05.tmem<128x32xi4, metadata>
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %in by tma (%a, %f) {
        ws.tma_load %map[0, 0] to %a
        ws.tma_load %s_map[0, 0] to %f
      }
    }
    ws.role @mma warps(1) {
      ws.consume %in by mma (%a, %f) {
        ws.tmem_copy %f to %t
        // CHECK: error[T5-WS-018]: ws.mma: the number of scale factors of a row of A, for 128 elements along K, must be 4; found 3
        ws.mma %d, %a, %a scales(%t, %t) accumulate %false
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x128xf8E4M3FN, k_major, swizzle_128b>
!ts = !tcgen05.tmem<128x4xf8E4M3FN, scale>
ptx.kernel @k(%map : !ptx.tensor_map<128x128xu8, swizzle_128b>, %s_map : !ptx.tensor_map<1x1x32x16xu8>) {
  %false = arith.constant false
  %in = ws.ring 2 : !a, !ws.smem<128x4xf8E4M3FN, scale>
  %d = ws.alloc : !tcgen05.tmem<128x128xf32>
  %t = ws.alloc : !ts
  %e = ws.alloc : !tcgen05.tmem<128x32xi4, metadata>
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %in by tma (%a, %f) {
        ws.tma_load %map[0, 0] to %a
        ws.tma_load %s_map[0, 0] to %f
      }
    }
    ws.role @mma warps(1) {
      ws.consume %in by mma (%a, %f) {
        ws.tmem_copy %f to %t
        // CHECK: error[T5-WS-018]: ws.mma: the element types must be types that one kind has; found e4m3 x e4m3 with ue4m3 -> f32
        ws.mma %d, %a, %a scales(%t, %t) accumulate %false
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x128xf8E4M3FN, k_major, swizzle_128b>
!ts = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
ptx.kernel @k(%map : !ptx.tensor_map<128x128xu8, swizzle_128b>, %s_map : !ptx.tensor_map<1x1x32x16xu8>) {
  %false = arith.constant false
  %in = ws.ring 2 : !a, !ws.smem<64x4xf8E8M0FNU, scale>
  %d = ws.alloc : !tcgen05.tmem<128x128xf32>
  %t = ws.alloc : !ts
  %e = ws.alloc : !tcgen05.tmem<128x32xi4, metadata>
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %in by tma (%a, %f) {
        ws.tma_load %map[0, 0] to %a
        ws.tma_load %s_map[0, 0] to %f
      }
    }
    ws.role @mma warps(1) {
      ws.consume %in by mma (%a, %f) {
        ws.tmem_copy %f to %t
        // CHECK: error[T5-SHAPE-005]: ws.mma: extents of scale_a must be 128x1, or more columns; found 64x4
        ws.mma %d, %a, %a scales(%t, %t) accumulate %false
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x128xf8E4M3FN, k_major, swizzle_128b>
!ts = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
ptx.kernel @k(%map : !ptx.tensor_map<128x128xu8, swizzle_128b>, %s_map : !ptx.tensor_map<1x1x32x16xu8>) {
  %false = arith.constant false
  %in = ws.ring 2 : !a, !ws.smem<128x4xf8E8M0FNU, scale>
  %d = ws.alloc : !tcgen05.tmem<128x128xf32>
  %t = ws.alloc : !ts
  %e = ws.alloc : !tcgen05.tmem<128x32xi4, metadata>
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %in by tma (%a, %f) {
        ws.tma_load %map[0, 0] to %a
        ws.tma_load %s_map[0, 0] to %f
      }
    }
    ws.role @mma warps(1) {
      ws.consume %in by mma (%a, %f) {
        ws.tmem_copy %f to %t
        // CHECK: error[T5-WS-018]: ws.mma: the number of elements along K must be one multiple of 64, of which A has half; found 128 of A and 128 of B
        ws.mma %d, %a, %a metadata %e accumulate %false
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x128xf8E4M3FN, k_major, swizzle_128b>
!ts = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
ptx.kernel @k(%map : !ptx.tensor_map<128x128xu8, swizzle_128b>, %s_map : !ptx.tensor_map<1x1x32x16xu8>) {
  %false = arith.constant false
  %in = ws.ring 2 : !a, !ws.smem<128x4xf8E8M0FNU, scale>
  %d = ws.alloc : !tcgen05.tmem<128x128xf32>
  %t = ws.alloc : !ts
  %e = ws.alloc : !tcgen05.tmem<128x32xi4, metadata>
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %in by tma (%a, %f) {
        ws.tma_load %map[0, 0] to %a
        ws.tma_load %s_map[0, 0] to %f
      }
    }
    ws.role @mma warps(1) {
      ws.consume %in by mma (%a, %f) {
        ws.tmem_copy %f to %t
        // CHECK: role of the metadata must be metadata; found scale
        ws.mma %d, %a, %a metadata %t accumulate %false
      }
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x128xf8E4M3FN, k_major, swizzle_128b>
!ts = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
ptx.kernel @k(%map : !ptx.tensor_map<128x128xu8, swizzle_128b>, %s_map : !ptx.tensor_map<1x1x32x16xu8>) {
  %false = arith.constant false
  %in = ws.ring 2 : !a, !ws.smem<128x4xf8E8M0FNU, scale>
  %d = ws.alloc : !tcgen05.tmem<128x128xf32>
  %t = ws.alloc : !ts
  %e = ws.alloc : !tcgen05.tmem<128x32xi4, metadata>
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %in by tma (%a, %f) {
        ws.tma_load %map[0, 0] to %a
        ws.tma_load %s_map[0, 0] to %f
      }
    }
    ws.role @mma warps(1) {
      ws.consume %in by mma (%a, %f) {
        ws.tmem_copy %f to %t
        // CHECK: role of A must be a; found scale
        ws.mma %d, %f, %a accumulate %false
      }
    }
  }
  ptx.ret
}
