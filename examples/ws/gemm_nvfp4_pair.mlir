// A persistent nvfp4 matrix product by pairs of CTAs: C = (A * SA) * (B * SB)^T, with A: M x K and
// B: N x K, both e2m1, packed and row-major; each 16 elements along K share a scale factor of type
// ue4m3. C is M x N, bf16 and row-major; sums are f32. M and N are any positive numbers, N is a
// multiple of 8, and K of 32.
//
// A pair computes tiles of 256 x 128. Each of its CTAs has 128 rows of A and 64 rows of B, but the
// scale factors of all rows of B. They are in blocks of 128 rows and 4 factors; see gemm_mxf8.mlir.

!a = !ws.smem<128x256xf4E2M1FN, k_major, swizzle_128b, packed>
!b = !ws.smem<64x256xf4E2M1FN, k_major, swizzle_128b, packed>
!s = !ws.smem<128x16xf8E4M3FN, scale>
!t = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!ts = !tcgen05.tmem<128x16xf8E4M3FN, scale>
!d = !tcgen05.tmem<128x128xf32>

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
  ptx.kernel @gemm_nvfp4_pair(%a_map : !ptx.tensor_map<128x256xb4x16, swizzle_128b>,
                              %b_map : !ptx.tensor_map<64x256xb4x16, swizzle_128b>,
                              %sa_map : !ptx.tensor_map<1x4x32x16xu8>,
                              %sb_map : !ptx.tensor_map<1x4x32x16xu8>,
                              %c_map : !ptx.tensor_map<32x64xbf16, swizzle_128b>,
                              %m : i32 {ptx.at_least = 1},
                              %n : i32 {ptx.at_least = 1, ptx.multiple_of = 8},
                              %k : i32 {ptx.at_least = 1, ptx.multiple_of = 32})
      attributes {cluster_dims = array<i32: 2>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %c256 = arith.constant 256 : i32
    %blocks = arith.ceildivui %k, %c256 : i32
    %in = ws.ring 4 : !a, !b, !s, !s
    %acc = ws.ring 2 : !d
    %out = ws.ring 2 : !t
    %ta = ws.alloc : !ts
    %tb = ws.alloc : !ts
    ws.warp_specialize pair tiles(%i, %j) of (%m by 256, %n by 128) persistent {
      ws.role @load warps(1) {
        scf.for %block = %c0 to %blocks step %c1 : i32 {
          ws.produce %in by tma (%a, %b, %fa, %fb) {
            ws.tma_load %a_map[half %i, %block] to %a
            ws.tma_load %b_map[half %j, %block] to %b
            ws.tma_load %sa_map[half %i, %block] to %fa
            ws.tma_load %sb_map[%j, %block] to %fb
          }
        }
      }
      ws.role @mma warps(1) leader {
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
        %first_box = arith.muli %j, %c2 : i32
        ws.consume %acc by threads (%d) {
          scf.for %box = %c0 to %c2 step %c1 : i32 {
            ws.produce %out by threads (%s) {
              %at = arith.muli %box, %c64 : i32
              %v = ws.tmem_load %d[%at] -> vector<64xf32>
              %h = arith.truncf %v : vector<64xf32> to vector<64xbf16>
              ws.local_store %h to %s[%t, 0]
              %column = arith.addi %first_box, %box : i32
              ws.tma_store %s to %c_map[half %i, %column]
            }
          }
        }
      }
    }
    ptx.ret
  }
}
