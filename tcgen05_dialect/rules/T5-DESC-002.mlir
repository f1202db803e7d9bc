ptx.kernel @example() {
  %address = arith.constant 8 : i32
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, no_swizzle>
  ptx.ret
}

// -----

ptx.kernel @example() {
  %address = arith.constant 16 : i32
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, no_swizzle>
  ptx.ret
}
