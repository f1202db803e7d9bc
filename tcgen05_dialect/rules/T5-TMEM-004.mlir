// T5-TMEM-004
// section: 9.7.16.2.3
// subject: accessed region
// statement: A matrix has exactly the lanes and columns that the instruction accesses.
// why: The shape determines the accessed cells; the instruction would read or write another matrix.
// fix: slice the matrix to the lanes and columns of the access

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %v:2 = tcgen05.ld shape_32x32b x2 %d : !tcgen05.tmem<128x256xf32>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  %v:2 = tcgen05.ld shape_32x32b x2 %part : !tcgen05.tmem<32x2xf32>
  ptx.ret
}
