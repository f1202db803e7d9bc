!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @example(%slot : i32, %first_lane : i32) {
  %d = tcgen05.load_address %slot : !d
  %part = tcgen05.slice %d[%first_lane, 64] : !d to !tcgen05.tmem<32x8xf32>
  %v:8 = tcgen05.ld shape_32x32b x8 %part : !tcgen05.tmem<32x8xf32>
  // 16 lanes. The second access begins 32 columns after the first.
  %half = tcgen05.slice %d[%first_lane, 0] : !d to !tcgen05.tmem<16x34xf32>
  %w:2 = tcgen05.ld shape_16x32bx2 x2 %half split 32 : !tcgen05.tmem<16x34xf32>
  tcgen05.wait ld
  ptx.ret
}
