// T5-SWIZZLE-003
// section: 9.7.16.10.6
// subject: swizzle atom
// statement: The swizzle mode with 32-byte atoms is for MN-major matrices.
// why: The manual defines no such layout for K-major matrices.
// fix: use {atom_32b} for MN-major matrices only

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xtf32, k_major, swizzle_128b_atom_32b>
  ptx.ret
}

// -----

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xtf32, k_major, swizzle_128b>
  ptx.ret
}
