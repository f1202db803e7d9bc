// T5-DESC-007
// section: 9.7.16.10.6
// subject: extent of the tile
// statement: A tile consists of whole swizzle atoms.
// why: The hardware reads and permutes whole atoms; the last one would extend past the end of the
//     tile.
// fix: pad the tile to whole swizzle atoms

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<100x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<104x64xbf16, k_major, swizzle_128b>
  ptx.ret
}
