// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

!wide = !tcgen05.smem_descriptor<128x24xbf16, k_major, no_swizzle>
!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
!scales = !tcgen05.smem_descriptor<32x16xf8E8M0FNU, k_major, no_swizzle>
ptx.kernel @cp(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  %wide = tcgen05.descriptor %address : !wide
  // CHECK: tcgen05.cp shape_128x256b %d, %tile : !tcgen05.tmem<128x32xf32>, !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
  // GENERIC: "tcgen05.cp"(%d, %tile) <{shape = "shape_128x256b", cta_group = 1 : i32}>
  // PTX: tcgen05.cp.cta_group::1.128x256b [%r{{[0-9]+}}], %rd{{[0-9]+}};
  tcgen05.cp shape_128x256b %d, %tile : !tcgen05.tmem<128x32xf32>, !tile
  // PTX: tcgen05.cp.cta_group::1.4x256b
  tcgen05.cp shape_4x256b %d, %tile : !tcgen05.tmem<128x32xf32>, !tile
  // CHECK: tcgen05.cp shape_4x256b %d, %wide[k = 8] : !tcgen05.tmem<128x32xf32>, !tcgen05.smem_descriptor<128x24xbf16, k_major, no_swizzle>
  tcgen05.cp shape_4x256b %d, %wide[k = 8] : !tcgen05.tmem<128x32xf32>, !wide
  // CHECK: tcgen05.cp shape_64x128b warpx2_02_13 %d
  // PTX: tcgen05.cp.cta_group::1.64x128b.warpx2::02_13
  tcgen05.cp shape_64x128b warpx2_02_13 %d, %tile : !tcgen05.tmem<128x32xf32>, !tile
  // PTX: tcgen05.cp.cta_group::1.64x128b.warpx2::01_23
  tcgen05.cp shape_64x128b warpx2_01_23 %d, %tile : !tcgen05.tmem<128x32xf32>, !tile
  // Scale factors of 32 rows for all warps.
  // PTX: tcgen05.cp.cta_group::1.32x128b.warpx4
  %scales = tcgen05.descriptor %address : !scales
  tcgen05.cp shape_32x128b warpx4 %d, %scales : !tcgen05.tmem<128x32xf32>, !scales
  // Four-bit elements, 16 of them in 16 bytes, become bytes.
  // CHECK: tcgen05.cp shape_128x256b b4x16_p64 %d
  // PTX: tcgen05.cp.cta_group::1.128x256b.b8x16.b4x16_p64
  %packed = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x32xf4E2M1FN, k_major, no_swizzle>
  tcgen05.cp shape_128x256b b4x16_p64 %d, %packed : !tcgen05.tmem<128x32xf32>, !tcgen05.smem_descriptor<128x32xf4E2M1FN, k_major, no_swizzle>
  // PTX: tcgen05.cp.cta_group::1.128x128b.b8x16.b6x16_p32
  %packed6 = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x32xf6E3M2FN, k_major, no_swizzle>
  tcgen05.cp shape_128x128b b6x16_p32 %d, %packed6 : !tcgen05.tmem<128x32xf32>, !tcgen05.smem_descriptor<128x32xf6E3M2FN, k_major, no_swizzle>
  ptx.ret
}

ptx.kernel @cp_of_a_pair(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: tcgen05.cp cta_group_2 shape_128x128b %d, %tile :
  // PTX: tcgen05.cp.cta_group::2.128x128b
  tcgen05.cp cta_group_2 shape_128x128b %d, %tile : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}
