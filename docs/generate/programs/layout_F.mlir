// An accumulator of M = 64 lies in 16 of each warp's 32 lanes, and a shape of 16 lanes loads it.
!all = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<64x64xf32, layout_F>
!part = !tcgen05.tmem<16x8xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %warp : i32) {
  %true = arith.constant true
  %warp_lanes = arith.constant 32 : i32
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %a = tcgen05.descriptor %tile : !a
  tcgen05.mma %d, %a, %a accumulate %true
      {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x64>} : !d, !a, !a
  // After the product is complete, warp w loads rows 16 w to 16 w + 15.
  %first_lane = arith.muli %warp, %warp_lanes : i32
  %part = tcgen05.slice %d[%first_lane, 0] : !d to !part
  %v:4 = tcgen05.ld shape_16x256b x1 %part : !part
  // Or load all 32 lanes, as a slice of %all; threads 16 to 31 ignore their registers.
  %wide = tcgen05.slice %all[%first_lane, 0] : !all to !tcgen05.tmem<32x8xf32>
  %w:8 = tcgen05.ld shape_32x32b x8 %wide : !tcgen05.tmem<32x8xf32>
  tcgen05.wait ld
  ptx.ret
}
