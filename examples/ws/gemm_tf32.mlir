// A warp-specialised matrix product of f32 matrices: C = A * B^T, with A: M x K, B: N x K and C: M x N,
// all f32 and row-major. TMA rounds the numbers of A and B to tf32, with 10 bits of mantissa;
// sums are f32. M and N are any positive numbers, K is a multiple of 4.

!a = !ws.smem<128x32xtf32, k_major, swizzle_128b>
!b = !ws.smem<256x32xtf32, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>

ptx.kernel @gemm_tf32(%a_map : !ptx.tensor_map<128x32xtf32, swizzle_128b>,
                      %b_map : !ptx.tensor_map<256x32xtf32, swizzle_128b>, %c : i64,
                      %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
                      %k : i32 {ptx.at_least = 1, ptx.multiple_of = 4}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %blocks = arith.ceildivui %k, %c32 : i32
  %ab = ws.ring 4 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize tiles(%i, %j) of (%m by 128, %n by 256) {
    ws.role @load warps(1) {
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        ws.produce %ab by tma (%sa, %sb) {
          ws.tma_load %a_map[%i, %block] to %sa
          ws.tma_load %b_map[%j, %block] to %sb
        }
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        scf.for %block = %c0 to %blocks step %c1 : i32 {
          ws.consume %ab by mma (%sa, %sb) {
            ws.mma %d, %sa, %sb
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
          %column = arith.addi %first_column, %at : i32
          ws.global_store %v to %c[%row, %column] of (%m, %n)
        }
      }
    }
  }
  ptx.ret
}
