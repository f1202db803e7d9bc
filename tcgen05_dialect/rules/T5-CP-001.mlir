// T5-CP-001
// section: 9.7.16.9.2
// subject: shape of cp
// statement: The shape of cp is one that the manual lists.
// why: The instruction has no encoding for other shapes.
// fix: use a shape that the message lists

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
!d = !tcgen05.tmem<128x32xf32>
ptx.kernel @example(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !d
  %tile = tcgen05.descriptor %address : !tile
  tcgen05.cp %d, %tile {shape = "shape_256x256b"} : !d, !tile
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
