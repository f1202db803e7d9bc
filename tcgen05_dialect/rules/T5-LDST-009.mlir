ptx.kernel @example(%slot : i32, %x : f32, %y : f32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<16x3xf32>
  tcgen05.st shape_16x32bx2 x2 %part split 1, (%x, %y) : !tcgen05.tmem<16x3xf32>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32, %x : f32, %y : f32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<16x4xf32>
  tcgen05.st shape_16x32bx2 x2 %part split 2, (%x, %y) : !tcgen05.tmem<16x4xf32>
  ptx.ret
}
