// T5-SHAPE-003
// section: 9.7.16.10.1
// subject: N of a transposed 8-bit B
// statement: With a transposed B of 8-bit elements, N is a multiple of {step} with one CTA, and of
//     {pair_step} with a CTA pair.
// why: The hardware transposes blocks of this size.
// fix: pad N to a legal multiple, or store B K-major

!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<32x32xf8E4M3FN, mn_major, swizzle_32b>
!d = !tcgen05.tmem<128x24xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x64xf32> to !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f8f6f4, e4m3 x e4m3 -> f32, 128x24, transpose_b>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<32x32xf8E4M3FN, mn_major, swizzle_32b>
!d = !tcgen05.tmem<128x32xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x64xf32> to !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f8f6f4, e4m3 x e4m3 -> f32, 128x32, transpose_b>} : !d, !a, !b
  ptx.ret
}
