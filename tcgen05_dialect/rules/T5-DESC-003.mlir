ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<32768x16xbf16, k_major, no_swizzle, mn_first>
  ptx.ret
}

// -----

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle, mn_first>
  ptx.ret
}
