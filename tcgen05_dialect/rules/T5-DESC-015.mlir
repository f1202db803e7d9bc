ptx.shared_memory @tiles size 8192 alignment 1024
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
