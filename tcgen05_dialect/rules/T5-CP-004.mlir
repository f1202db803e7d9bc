// T5-CP-004
// section: 9.7.16.9.2
// subject: extents of the source of cp
// statement: The source tile of cp has the extents of the shape.
// why: The shape determines the number of bytes that cp copies; with a smaller tile it would read
//     past the end of the tile in shared memory.
// fix: make the tile as large as the shape

!tile = !tcgen05.smem_descriptor<64x16xbf16, k_major, no_swizzle>
!d = !tcgen05.tmem<128x32xf32>
ptx.kernel @example(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !d
  %tile = tcgen05.descriptor %address : !tile
  tcgen05.cp shape_128x256b %d, %tile : !d, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
!d = !tcgen05.tmem<128x32xf32>
ptx.kernel @example(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !d
  %tile = tcgen05.descriptor %address : !tile
  tcgen05.cp shape_128x256b %d, %tile : !d, !tile
  ptx.ret
}
