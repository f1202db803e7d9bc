// T5-CP-003
// section: 9.7.16.9.1
// subject: decompression of cp
// statement: cp decompresses from a packed format to bytes, or has no format.
// why: The instruction has no encoding for other pairs of formats.
// fix: decompress from {formats}, or leave the format out

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
!d = !tcgen05.tmem<128x32xf32>
ptx.kernel @example(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !d
  %tile = tcgen05.descriptor %address : !tile
  tcgen05.cp %d, %tile {shape = "shape_128x256b", format = "b8x16"} : !d, !tile
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
