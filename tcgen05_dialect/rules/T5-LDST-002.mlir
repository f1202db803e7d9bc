// T5-LDST-002
// section: 9.7.16.8.3
// subject: number of registers of ld and st
// statement: The number of registers of ld and st is that of the shape, times the repeat factor.
// why: Each register corresponds to cells of the access.
// fix: give the number of registers of the shape, times the repeat factor

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
