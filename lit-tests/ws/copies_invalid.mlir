// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!a = !ws.smem<128x128xf8E4M3FN, k_major, swizzle_128b>
!b = !ws.smem<64x128xf8E4M3FN, k_major, swizzle_128b>
!sa = !ws.smem<128x4xf8E8M0FNU, scale>
!sb = !ws.smem<64x4xf8E8M0FNU, scale>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x128xu8, swizzle_128b>,
                    %b_map : !ptx.tensor_map<64x128xu8, swizzle_128b>,
                    %s_map : !ptx.tensor_map<1x1x32x16xu8>) {
  %in = ws.ring 2 : !a, !b, !sa, !sb
  %acc = ws.ring 1 : !d
  %ta = ws.alloc : !tcgen05.tmem<128x4xf8E8M0FNU, scale>
  %tb = ws.alloc : !tcgen05.tmem<64x4xf8E8M0FNU, scale>
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %in by tma (%a, %b, %fa, %fb) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
        ws.tma_load %s_map[0, 0] to %fa
        ws.tma_load %s_map[0, 0] to %fb
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %in by mma (%a, %b, %fa, %fb) {
          ws.tmem_copy %fa to %ta
          // CHECK: error[T5-WS-019]: ws.mma: ws.mma uses %tb, but no copy to it comes before in the same region
          ws.mma %d, %a, %b scales(%ta, %tb)
          ws.tmem_copy %fb to %tb
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
!b = !ws.smem<64x128xf8E4M3FN, k_major, swizzle_128b>
!sa = !ws.smem<128x4xf8E8M0FNU, scale>
!sb = !ws.smem<64x4xf8E8M0FNU, scale>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x128xu8, swizzle_128b>,
                    %b_map : !ptx.tensor_map<64x128xu8, swizzle_128b>,
                    %s_map : !ptx.tensor_map<1x1x32x16xu8>) {
  %in = ws.ring 2 : !a, !b, !sa, !sb
  %acc = ws.ring 1 : !d
  %ta = ws.alloc : !tcgen05.tmem<128x4xf8E8M0FNU, scale>
  %tb = ws.alloc : !tcgen05.tmem<64x4xf8E8M0FNU, scale>
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %in by tma (%a, %b, %fa, %fb) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
        ws.tma_load %s_map[0, 0] to %fa
        ws.tma_load %s_map[0, 0] to %fb
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %in by mma (%a, %b, %fa, %fb) {
          %true = arith.constant true
          scf.if %true {
            // CHECK: error[T5-WS-019]: ws.tmem_copy: the operation around the copy to %ta must be the region by mma that holds the tile; found scf.if
            ws.tmem_copy %fa to %ta
          }
          ws.tmem_copy %fb to %tb
          ws.mma %d, %a, %b scales(%ta, %tb)
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
!b = !ws.smem<64x128xf8E4M3FN, k_major, swizzle_128b>
!sa = !ws.smem<128x4xf8E8M0FNU, scale>
!sb = !ws.smem<64x4xf8E8M0FNU, scale>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x128xu8, swizzle_128b>,
                    %b_map : !ptx.tensor_map<64x128xu8, swizzle_128b>,
                    %s_map : !ptx.tensor_map<1x1x32x16xu8>) {
  %in = ws.ring 2 : !a, !b, !sa, !sb
  %acc = ws.ring 1 : !d
  %ta = ws.alloc : !tcgen05.tmem<128x4xf8E8M0FNU, scale>
  %tb = ws.alloc : !tcgen05.tmem<64x4xf8E8M0FNU, scale>
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %in by tma (%a, %b, %fa, %fb) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
        ws.tma_load %s_map[0, 0] to %fa
        ws.tma_load %s_map[0, 0] to %fb
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %in by mma (%a, %b, %fa, %fb) {
          ws.tmem_copy %fa to %ta
          // CHECK: error[T5-WS-019]: ws.tmem_copy: the number of copies to %ta in a region must be 1; found 2
          ws.tmem_copy %fa to %ta
          ws.tmem_copy %fb to %tb
          ws.mma %d, %a, %b scales(%ta, %tb)
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
!b = !ws.smem<64x128xf8E4M3FN, k_major, swizzle_128b>
!sa = !ws.smem<128x4xf8E8M0FNU, scale>
!sb = !ws.smem<64x4xf8E8M0FNU, scale>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x128xu8, swizzle_128b>,
                    %b_map : !ptx.tensor_map<64x128xu8, swizzle_128b>,
                    %s_map : !ptx.tensor_map<1x1x32x16xu8>) {
  %in = ws.ring 2 : !a, !b, !sa, !sb
  %acc = ws.ring 1 : !d
  %ta = ws.alloc : !tcgen05.tmem<128x4xf8E8M0FNU, scale>
  %tb = ws.alloc : !tcgen05.tmem<64x4xf8E8M0FNU, scale>
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %in by tma (%a, %b, %fa, %fb) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
        ws.tma_load %s_map[0, 0] to %fa
        ws.tma_load %s_map[0, 0] to %fb
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %in by mma (%a, %b, %fa, %fb) {
          // CHECK: error[T5-WS-018]: ws.tmem_copy: the type of the matrix must be !tcgen05.tmem<128x4xf8E8M0FNU, scale>, as the tile has; found !tcgen05.tmem<64x4xf8E8M0FNU, scale>
          ws.tmem_copy %fa to %tb
          ws.tmem_copy %fb to %tb
          ws.mma %d, %a, %b scales(%ta, %tb)
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
!b = !ws.smem<64x128xf8E4M3FN, k_major, swizzle_128b>
!sa = !ws.smem<128x4xf8E8M0FNU, scale>
!sb = !ws.smem<64x4xf8E8M0FNU, scale>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%a_map : !ptx.tensor_map<128x128xu8, swizzle_128b>,
                    %b_map : !ptx.tensor_map<64x128xu8, swizzle_128b>,
                    %s_map : !ptx.tensor_map<1x1x32x16xu8>) {
  %in = ws.ring 2 : !a, !b, !sa, !sb
  %acc = ws.ring 1 : !d
  %ta = ws.alloc : !tcgen05.tmem<128x4xf8E8M0FNU, scale>
  %tb = ws.alloc : !tcgen05.tmem<64x4xf8E8M0FNU, scale>
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %in by tma (%a, %b, %fa, %fb) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
        ws.tma_load %s_map[0, 0] to %fa
        ws.tma_load %s_map[0, 0] to %fb
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %in by mma (%a, %b, %fa, %fb) {
          // CHECK: error[T5-WS-018]: ws.tmem_copy: the tile must be a tile of role scale or metadata; found !ws.smem<128x128xf8E4M3FN, k_major, swizzle_128b>
          ws.tmem_copy %a to %ta
          ws.tmem_copy %fb to %tb
          ws.mma %d, %a, %b scales(%ta, %tb)
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
