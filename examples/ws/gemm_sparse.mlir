// A matrix product with a sparse A: C = A * B^T, with A: M x K, B: N x K and C: M x N, all bf16 and
// row-major. Of each four elements of A along K, two are stored, so its tensor is M x K / 2. Sums are
// f32. M and N are any positive numbers, K is a multiple of 16.
//
// The metadata says which elements are stored. It is in blocks of 128 rows and 128 elements along K,
// 2048 bytes in the order of tensor memory: 16 bytes for each of 128 lanes, of which each MMA reads
// four. Two rows, r and r + 8, share two lanes (PTX ISA 9.7.16.10.8.4). The metadata of rows and
// elements outside of A is legal, too.

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<128x128xbf16, k_major, swizzle_128b, mn_first>
!e = !ws.smem<128x32xi4, metadata>
!d = !tcgen05.tmem<128x128xf32>

ptx.kernel @gemm_sparse(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>,
                        %b_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>,
                        %e_map : !ptx.tensor_map<1x1x128x16xu8>, %c : i64,
                        %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
                        %k : i32 {ptx.at_least = 1, ptx.multiple_of = 16}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %blocks = arith.ceildivui %k, %c128 : i32
  %in = ws.ring 4 : !a, !b, !e
  %acc = ws.ring 1 : !d
  %te = ws.alloc : !tcgen05.tmem<128x32xi4, metadata>
  ws.warp_specialize tiles(%i, %j) of (%m by 128, %n by 128) {
    ws.role @load warps(1) {
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        ws.produce %in by tma (%a, %b, %e) {
          ws.tma_load %a_map[%i, %block] to %a
          ws.tma_load %b_map[%j, %block] to %b
          ws.tma_load %e_map[%i, %block] to %e
        }
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        scf.for %block = %c0 to %blocks step %c1 : i32 {
          ws.consume %in by mma (%a, %b, %e) {
            ws.tmem_copy %e to %te
            ws.mma %d, %a, %b metadata %te
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
