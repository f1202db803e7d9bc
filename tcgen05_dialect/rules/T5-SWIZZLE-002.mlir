// T5-SWIZZLE-002
// section: 9.7.16.10.3
// subject: element size, majorness and swizzle
// statement: A matrix has a swizzle mode that is legal for its element size and majorness.
// why: The hardware transposes elements in chunks of the swizzle mode.
// fix: make elements smaller than a byte K-major, and give MN-major 32-bit elements {atom_32b}

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xtf32, mn_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xtf32, mn_major, swizzle_128b_atom_32b>
  ptx.ret
}
