!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 16>
!whole = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 16>
!whole = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !whole
  ptx.ret
}
