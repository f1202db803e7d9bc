// T5-DESC-016
// section: 9.7.16.4.1
// subject: type of a tile or of an advanced descriptor
// statement: All tiles of a tcgen05.tile have the type of tile 0; an advanced descriptor has the
//     type of its tile with another k.
// why: The type determines the arrangement of the bytes; with another type the MMA would read
//     another matrix.
// fix: give every tile the type of tile 0; give only advanced descriptors a k

!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 16>
!whole = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 16>
!whole = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !whole
  ptx.ret
}
