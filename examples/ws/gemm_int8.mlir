// A quantised matrix product: C = (A * B^T) * SA * SB, with A: M x K and B: N x K, both s8 and
// row-major; SA has a factor of type f32 for each row of A, and SB for each row of B. Sums are s32, and
// C is M x N, bf16 and row-major. M and N are any positive numbers, K is a multiple of 16.

!a = !ws.smem<128x128xsi8, k_major, swizzle_128b>
!b = !ws.smem<256x128xsi8, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xi32>

ptx.kernel @gemm_int8(%a_map : !ptx.tensor_map<128x128xu8, swizzle_128b>,
                      %b_map : !ptx.tensor_map<256x128xu8, swizzle_128b>, %sa : i64, %sb : i64,
                      %c : i64, %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
                      %k : i32 {ptx.at_least = 1, ptx.multiple_of = 16}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %blocks = arith.ceildivui %k, %c128 : i32
  %ab = ws.ring 4 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize tiles(%i, %j) of (%m by 128, %n by 256) {
    ws.role @load warps(1) {
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        ws.produce %ab by tma (%ta, %tb) {
          ws.tma_load %a_map[%i, %block] to %ta
          ws.tma_load %b_map[%j, %block] to %tb
        }
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        scf.for %block = %c0 to %blocks step %c1 : i32 {
          ws.consume %ab by mma (%ta, %tb) {
            ws.mma %d, %ta, %tb
          }
        }
      }
    }
    ws.role @epilogue warps(4) threads(%t) {
      %first_row = arith.muli %i, %c128 : i32
      %row = arith.addi %first_row, %t : i32
      %first_column = arith.muli %j, %c256 : i32
      %own = ws.global_load %sa[%row, 0] of (%m, %c1) -> vector<1xf32>
      %factor = vector.extract %own[0] : f32 from vector<1xf32>
      %of_row = vector.broadcast %factor : f32 to vector<32xf32>
      ws.consume %acc by threads (%d) {
        scf.for %at = %c0 to %c256 step %c32 : i32 {
          %column = arith.addi %first_column, %at : i32
          %of_columns = ws.global_load %sb[0, %column] of (%c1, %n) -> vector<32xf32>
          %v = ws.tmem_load %d[%at] -> vector<32xi32>
          %x = ws.sitofp %v -> vector<32xf32>
          %y = arith.mulf %x, %of_row : vector<32xf32>
          %z = arith.mulf %y, %of_columns : vector<32xf32>
          %h = arith.truncf %z : vector<32xf32> to vector<32xbf16>
          ws.global_store %h to %c[%row, %column] of (%m, %n)
        }
      }
    }
  }
  ptx.ret
}
