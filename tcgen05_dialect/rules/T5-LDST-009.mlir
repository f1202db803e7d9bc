// T5-LDST-009
// section: 9.7.16.8.4
// subject: distance between the halves of a store
// statement: The two halves of a store with shape 16x32bx2 write different columns.
// why: Both halves write the same lanes in no defined order; a column that both write would hold
//     the value of either one. Loads may overlap.
// fix: give an offset of at least the number of columns of one half

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
