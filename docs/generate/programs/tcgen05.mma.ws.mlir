!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!all = !tcgen05.tmem<128x64xf32>
!d = !tcgen05.tmem<64x128xf32, layout_E>
ptx.kernel @example(%slot : i32, %a_tile : i32, %b_tile : i32) {
  %true = arith.constant true
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %a = tcgen05.descriptor %a_tile : !a
  %b = tcgen05.descriptor %b_tile : !b
  tcgen05.mma.ws collector b1 fill %d, %a, %b accumulate %true
      zero_column_mask #tcgen05.zero_column_mask<non_zero, skip_span 2, use_span 3>
      {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x128>}
      : !d, !a, !b
  ptx.ret
}
