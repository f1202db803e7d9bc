!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!a16 = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 16>
!d = !tcgen05.tmem<128x128xf32>
ptx.kernel @example(%slot : i32, %tile : i32) {
  %true = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %a16 = tcgen05.advance %a, k = 16 : !a
  tcgen05.mma %d, %a16, %a16 accumulate %true
      {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>} : !d, !a16, !a16
  ptx.ret
}
