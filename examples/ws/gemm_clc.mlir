// A matrix product by cluster launch control: C = A * B^T, with A: M x K, B: N x K and C: M x N, all
// bf16 and row-major; sums are f32. M and N are any positive numbers, K is a multiple of 8.
//
// The grid has a CTA for each tile, but only as many run as there is room for. A CTA that is done
// takes the tile of one that has not started, and multiplies into the other accumulator while the
// epilogue stores. So CTAs that start late, because another kernel still runs, get fewer tiles.

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>

ptx.kernel @gemm_clc(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>,
                     %b_map : !ptx.tensor_map<256x64xbf16, swizzle_128b>, %c : i64,
                     %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
                     %k : i32 {ptx.at_least = 1, ptx.multiple_of = 8}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %blocks = arith.ceildivui %k, %c64 : i32
  %ab = ws.ring 4 : !a, !b
  %acc = ws.ring 2 : !d
  ws.warp_specialize tiles(%i, %j) of (%m by 128, %n by 256) clc group(8) {
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
          %h = arith.truncf %v : vector<32xf32> to vector<32xbf16>
          %column = arith.addi %first_column, %at : i32
          ws.global_store %h to %c[%row, %column] of (%m, %n)
        }
      }
    }
  }
  ptx.ret
}
