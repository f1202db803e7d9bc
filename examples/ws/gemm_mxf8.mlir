// A block-scaled matrix product: C = (A * SA) * (B * SB)^T, with A: M x K and B: N x K, both e4m3 and
// row-major; each 32 elements along K share a scale factor. C is M x N, bf16; sums are f32. M and N
// are any positive numbers, K is a multiple of 16.
//
// Scale factors are in blocks of 128 rows and 4 factors, 512 bytes in the order in which tcgen05.cp
// takes them: row r, factor f is at byte r % 32 * 16 + r / 32 * 4 + f. The tensor of A has
// ceil(M / 128) x ceil(K / 128) blocks, here of 32 x 16 bytes. Factors outside of A and B must not be NaN.

!a = !ws.smem<128x128xf8E4M3FN, k_major, swizzle_128b>
!b = !ws.smem<256x128xf8E4M3FN, k_major, swizzle_128b>
!sa = !ws.smem<128x4xf8E8M0FNU, scale>
!sb = !ws.smem<256x4xf8E8M0FNU, scale>
!d = !tcgen05.tmem<128x256xf32>

ptx.kernel @gemm_mxf8(%a_map : !ptx.tensor_map<128x128xu8, swizzle_128b>,
                      %b_map : !ptx.tensor_map<256x128xu8, swizzle_128b>,
                      %sa_map : !ptx.tensor_map<1x1x32x16xu8>,
                      %sb_map : !ptx.tensor_map<2x1x32x16xu8>, %c : i64,
                      %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
                      %k : i32 {ptx.at_least = 1, ptx.multiple_of = 16}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %blocks = arith.ceildivui %k, %c128 : i32
  %in = ws.ring 4 : !a, !b, !sa, !sb
  %acc = ws.ring 1 : !d
  %ta = ws.alloc : !tcgen05.tmem<128x4xf8E8M0FNU, scale>
  %tb = ws.alloc : !tcgen05.tmem<256x4xf8E8M0FNU, scale>
  ws.warp_specialize tiles(%i, %j) of (%m by 128, %n by 256) {
    ws.role @load warps(1) {
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        ws.produce %in by tma (%a, %b, %fa, %fb) {
          ws.tma_load %a_map[%i, %block] to %a
          ws.tma_load %b_map[%j, %block] to %b
          ws.tma_load %sa_map[%i, %block] to %fa
          ws.tma_load %sb_map[%j, %block] to %fb
        }
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        scf.for %block = %c0 to %blocks step %c1 : i32 {
          ws.consume %in by mma (%a, %b, %fa, %fb) {
            ws.tmem_copy %fa to %ta
            ws.tmem_copy %fb to %tb
            ws.mma %d, %a, %b scales(%ta, %tb)
          }
        }
      }
    }
    ws.role @epilogue warps(4) threads(%t) {
      %first_row = arith.muli %i, %c128 : i32
      %row = arith.addi %first_row, %t : i32
      %first_column = arith.muli %j, %c256 : i32
      ws.consume %acc by threads (%d) {
        scf.for %at = %c0 to %c256 step %c32 : i32 {
          %v = ws.tmem_load %d[%at] -> vector<32xf32>
          %h = arith.truncf %v : vector<32xf32> to vector<32xbf16>
          %column = arith.addi %first_column, %at : i32
          ws.global_store %h to %c[%row, %column] of (%m, %n)
        }
      }
    }
  }
  ptx.ret
}
