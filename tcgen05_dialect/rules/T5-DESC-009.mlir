ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x336xf6E2M3FN, k_major, no_swizzle, packed>
  ptx.ret
}

// -----

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x336xf6E2M3FN, k_major, no_swizzle>
  ptx.ret
}
