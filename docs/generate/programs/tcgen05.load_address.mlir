ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  %quarter = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x128xf32> to !tcgen05.tmem<32x2xf32>
  %v0, %v1 = tcgen05.ld shape_32x32b x2 %quarter : !tcgen05.tmem<32x2xf32>
  ptx.ret
}
