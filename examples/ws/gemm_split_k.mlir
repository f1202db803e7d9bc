// A matrix product with K split among CTAs: C += A * B^T, with A: M x K and B: N x K, both bf16 and
// row-major, and C: M x N of f32. M is any positive number, N is a multiple of 4, K of 8. For matrices
// with few tiles and a large K, as in decoding.
//
// A CTA multiplies 1024 elements of K for a tile of 128 x 128. TMA adds its sums to C in memory, each
// element atomically, in any order. Before the launch, C is zero or holds another summand.

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!t = !ws.smem<128x32xf32, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>

ptx.kernel @gemm_split_k(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>,
                         %b_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>,
                         %c_map : !ptx.tensor_map<128x32xf32, swizzle_128b>,
                         %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
                         %k : i32 {ptx.at_least = 1, ptx.multiple_of = 8}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %all_blocks = arith.ceildivui %k, %c64 : i32
  %ab = ws.ring 4 : !a, !b
  %acc = ws.ring 1 : !d
  %out = ws.ring 2 : !t
  ws.warp_specialize tiles(%i, %j, %part) of (%m by 128, %n by 128, %k by 1024) {
    %first = arith.muli %part, %c16 : i32
    %rest = arith.subi %all_blocks, %first : i32
    %blocks = arith.minsi %rest, %c16 : i32
    ws.role @load warps(1) {
      scf.for %at = %c0 to %blocks step %c1 : i32 {
        %block = arith.addi %first, %at : i32
        ws.produce %ab by tma (%sa, %sb) {
          ws.tma_load %a_map[%i, %block] to %sa
          ws.tma_load %b_map[%j, %block] to %sb
        }
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        scf.for %at = %c0 to %blocks step %c1 : i32 {
          ws.consume %ab by mma (%sa, %sb) {
            ws.mma %d, %sa, %sb
          }
        }
      }
    }
    ws.role @epilogue warps(4) threads(%t) {
      %first_box = arith.muli %j, %c4 : i32
      ws.consume %acc by threads (%d) {
        scf.for %box = %c0 to %c4 step %c1 : i32 {
          ws.produce %out by threads (%s) {
            %at = arith.muli %box, %c32 : i32
            %v = ws.tmem_load %d[%at] -> vector<32xf32>
            ws.local_store %v to %s[%t, 0]
            %column = arith.addi %first_box, %box : i32
            ws.tma_store %s to %c_map[%i, %column] add
          }
        }
      }
    }
  }
  ptx.ret
}
