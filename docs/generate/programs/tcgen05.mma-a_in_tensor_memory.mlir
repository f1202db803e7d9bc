// A is in tensor memory. A set bit of the four words keeps a lane of D unchanged.
!a = !tcgen05.tmem<128x16xf16, a>
!b = !tcgen05.smem_descriptor<64x64xf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %lanes : i32) {
  %true = arith.constant true
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x128xf32> to !d
  %a = tcgen05.slice %all[0, 64] : !tcgen05.tmem<128x128xf32> to !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma ashift collector lastuse %d, %a, %b accumulate %true
      disable_output_lane(%lanes, %lanes, %lanes, %lanes)
      {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64>} : !d, !a, !b
  ptx.ret
}
