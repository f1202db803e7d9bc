// T5-LDST-006
// section: 9.7.16.1.1
// subject: columns of the access
// statement: ld and st stay inside the columns of tensor memory.
// why: The manual leaves an access after the last column undefined.
// fix: keep every accessed column inside the {columns} of tensor memory

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<16x1xf32>
  %v = tcgen05.ld shape_16x32bx2 x1 %part split -4 : !tcgen05.tmem<16x1xf32>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<16x5xf32>
  %v = tcgen05.ld shape_16x32bx2 x1 %part split 4 : !tcgen05.tmem<16x5xf32>
  ptx.ret
}
