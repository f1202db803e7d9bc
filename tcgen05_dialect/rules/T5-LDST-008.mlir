// T5-LDST-008
// section: 9.7.16.8.2
// subject: elements to pack in pairs
// statement: Only 16-bit elements that each occupy a whole cell can be packed.
// why: Elements of other sizes would lose bits.
// fix: pack and unpack only accumulators of 16-bit elements, in which each element occupies a cell

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  %v = tcgen05.ld shape_32x32b x1 pack %part : !tcgen05.tmem<32x2xf32>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf16>
  %v = tcgen05.ld shape_32x32b x1 pack %part : !tcgen05.tmem<32x2xf16>
  ptx.ret
}
