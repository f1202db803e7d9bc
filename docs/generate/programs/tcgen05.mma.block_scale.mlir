// Each row has four scale factors, one for each instruction of K = 32. This is the second one.
!a = !tcgen05.smem_descriptor<128x128xf8E4M3FN, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<64x128xf8E4M3FN, k_major, swizzle_128b>
!all = !tcgen05.tmem<128x128xf32>
!d = !tcgen05.tmem<128x64xf32>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
ptx.kernel @example(%slot : i32, %a_tile : i32, %b_tile : i32) {
  %true = arith.constant true
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %sfa = tcgen05.slice %all[0, 64] : !all to !sfa
  %sfb = tcgen05.slice %all[0, 68] : !all to !sfb
  %a = tcgen05.descriptor %a_tile : !a
  %b = tcgen05.descriptor %b_tile : !b
  tcgen05.mma.block_scale %d, %a[k = 32], %b[k = 32] scales %sfa[id = 1], %sfb[id = 1]
      accumulate %true
      {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>}
      : !d, !a, !b, !sfa, !sfb
  ptx.ret
}
