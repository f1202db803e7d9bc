// T5-LDST-003
// section: 9.7.16.8.3
// subject: split offset
// statement: Shape 16x32bx2 has an offset for its second half; no other shape has one.
// why: The offset is an operand of that shape only.
// fix: give the offset with shape 16x32bx2, and with no other

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  %v:2 = tcgen05.ld shape_32x32b x2 %part split 16 : !tcgen05.tmem<32x2xf32>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  %v:2 = tcgen05.ld shape_32x32b x2 %part : !tcgen05.tmem<32x2xf32>
  ptx.ret
}
