// K is 32. Each row of A stores 16 elements, and a 4-bit index for each four elements along K.
!a = !tcgen05.smem_descriptor<128x16xf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf16, k_major, swizzle_64b>
!all = !tcgen05.tmem<128x128xf32>
!d = !tcgen05.tmem<128x64xf32>
!e = !tcgen05.tmem<128x8xi4, metadata>
ptx.kernel @example(%slot : i32, %a_tile : i32, %b_tile : i32) {
  %true = arith.constant true
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %e = tcgen05.slice %all[0, 64] : !all to !e
  %a = tcgen05.descriptor %a_tile : !a
  %b = tcgen05.descriptor %b_tile : !b
  tcgen05.mma.sp %d, %a, %b metadata %e accumulate %true
      {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64, sparse>} : !d, !a, !b, !e
  ptx.ret
}
