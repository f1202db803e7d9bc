ptx.kernel @example(%slot : i32, %first_lane : i32, %v0 : f32, %v1 : f32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[%first_lane, 0]
      : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  tcgen05.st shape_32x32b x2 %part, (%v0, %v1) : !tcgen05.tmem<32x2xf32>
  tcgen05.wait st
  ptx.ret
}
