// T5-DESC-014
// section: 9.7.16.4.1
// subject: address of the tile
// statement: A tile begins at a multiple of the swizzle period, in a variable with this alignment.
// why: The hardware derives the swizzle pattern from the address. If a tile begins elsewhere, the
//     hardware permutes the rows differently from the program.
// fix: align the variable to the swizzle period

ptx.shared_memory @tiles size 16384 alignment 128
ptx.kernel @example() {
  %address = ptx.address_of @tiles
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.shared_memory @tiles size 16384 alignment 1024
ptx.kernel @example() {
  %address = ptx.address_of @tiles
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}
