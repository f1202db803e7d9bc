ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  %zero = arith.constant 0.0 : f32
  tcgen05.st shape_32x32b x2 %part, (%zero) : !tcgen05.tmem<32x2xf32>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  %zero = arith.constant 0.0 : f32
  tcgen05.st shape_32x32b x2 %part, (%zero, %zero) : !tcgen05.tmem<32x2xf32>
  ptx.ret
}
