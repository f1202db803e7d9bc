!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x64xf8E5M2, k_major, swizzle_64b>
!all = !tcgen05.tmem<128x128xf32>
!d = !tcgen05.tmem<128x64xf32>
!e = !tcgen05.tmem<128x16xi4, metadata>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
ptx.kernel @example(%slot : i32, %a_tile : i32, %b_tile : i32) {
  %true = arith.constant true
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %e = tcgen05.slice %all[0, 64] : !all to !e
  %sfa = tcgen05.slice %all[0, 68] : !all to !sfa
  %sfb = tcgen05.slice %all[0, 72] : !all to !sfb
  %a = tcgen05.descriptor %a_tile : !a
  %b = tcgen05.descriptor %b_tile : !b
  tcgen05.mma.sp.block_scale %d, %a, %b metadata %e scales %sfa, %sfb accumulate %true
      {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e5m2 -> f32, 128x64, sparse, scale_type ue8m0>}
      : !d, !a, !b, !e, !sfa, !sfb
  ptx.ret
}
