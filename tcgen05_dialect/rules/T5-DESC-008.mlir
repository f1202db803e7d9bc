// T5-DESC-008
// section: 9.7.16.3
// subject: origin of a descriptor in its tile
// statement: A descriptor advances by whole swizzle atoms, or by whole chunks of the swizzle along
//     the major dimension.
// why: Otherwise the descriptor would begin inside a chunk, where the hardware permutes the bytes
//     differently from the program.
// fix: advance by whole atoms, or by whole swizzle chunks along the major dimension

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  %step = tcgen05.advance %tile, k = 4 : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  %step = tcgen05.advance %tile, k = 16 : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}
