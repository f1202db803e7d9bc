// The rows of A come from a list, as in a mixture of experts, where an expert multiplies the tokens
// that were routed to it: C = A[list] * B^T, with A: T x K, a list of M row numbers, B: N x K and
// C: M x N; A, B and C are bf16 and row-major, and sums are f32. A number outside of A, such as -1,
// stands for a row of zeros.
//
// Its tensor map has a box of one row. The list is a vector of one number for each row of the tile;
// the lowering copies four rows at a time.

!ab = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>

ptx.kernel @gemm_gather(%a_map : !ptx.tensor_map<1x64xbf16, swizzle_128b>,
                        %b_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>,
                        %list : i64, %c : i64,
                        %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
                        %k : i32 {ptx.at_least = 1, ptx.multiple_of = 8}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %blocks = arith.ceildivui %k, %c64 : i32
  %ab = ws.ring 4 : !ab, !ab
  %acc = ws.ring 1 : !d
  ws.warp_specialize tiles(%i, %j) of (%m by 128, %n by 128) {
    ws.role @load warps(1) {
      %first = arith.muli %i, %c128 : i32
      %rows = ws.global_load %list[0, %first] of (%c1, %m) -> vector<128xi32>
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        ws.produce %ab by tma (%a, %b) {
          ws.tma_load %a_map[rows %rows, %block] to %a
          ws.tma_load %b_map[%j, %block] to %b
        }
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        scf.for %block = %c0 to %blocks step %c1 : i32 {
          ws.consume %ab by mma (%a, %b) {
            ws.mma %d, %a, %b
          }
        }
      }
    }
    ws.role @epilogue warps(4) threads(%t) {
      %first_row = arith.muli %i, %c128 : i32
      %row = arith.addi %first_row, %t : i32
      %first_column = arith.muli %j, %c128 : i32
      ws.consume %acc by threads (%d) {
        scf.for %at = %c0 to %c128 step %c32 : i32 {
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
