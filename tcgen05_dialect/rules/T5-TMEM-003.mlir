// T5-TMEM-003
// section: 9.7.16.1.1
// subject: slice of a matrix
// statement: A slice is inside its matrix.
// why: An access through the slice would read or write another matrix.
// fix: move the slice or make it smaller

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[112, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x32xf32>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[96, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x32xf32>
  ptx.ret
}
