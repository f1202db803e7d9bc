ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xtf32, mn_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xtf32, mn_major, swizzle_128b_atom_32b>
  ptx.ret
}
