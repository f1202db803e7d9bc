// T5-IDESC-008
// section: 9.7.16.4.2
// subject: column shift of a reused B
// statement: If B is reused from the collector buffer, the column shift of the mask is at most the
//     maximum shift of the instruction descriptor.
// why: The buffer holds only as many additional columns as the maximum shift gives.
// fix: set the maximum shift of the instruction descriptor to the column shift of the mask or more

!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<64x128xf32, layout_E>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x128xf32> to !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma.ws collector b0 lastuse %d, %a, %b accumulate %p zero_column_mask #tcgen05.zero_column_mask<column_shift 16> {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x128, max_shift 8>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<64x128xf32, layout_E>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x128xf32> to !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma.ws collector b0 lastuse %d, %a, %b accumulate %p zero_column_mask #tcgen05.zero_column_mask<column_shift 16> {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x128, max_shift 16>} : !d, !a, !b
  ptx.ret
}
