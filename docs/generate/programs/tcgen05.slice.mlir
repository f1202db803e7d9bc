// Slices: an accumulator of 128 columns, scale factors behind it, one warp's part of the accumulator.
!all = !tcgen05.tmem<128x256xf32>
!d = !tcgen05.tmem<128x128xf32>
ptx.kernel @example(%slot : i32, %first_lane : i32) {
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %scales = tcgen05.slice %all[0, 128] : !all to !tcgen05.tmem<128x4xf8E8M0FNU, scale>
  %part = tcgen05.slice %d[%first_lane, 64] : !d to !tcgen05.tmem<32x2xf32>
  %v:2 = tcgen05.ld shape_32x32b x2 %part : !tcgen05.tmem<32x2xf32>
  ptx.ret
}
