// A row of the box has 128 bytes.
!map = !ptx.tensor_map<128x64xbf16, swizzle_64b>
ptx.kernel @example(%map : !map) {
  ptx.prefetch.tensormap [%map]
  ptx.ret
}

// -----

!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @example(%map : !map) {
  ptx.prefetch.tensormap [%map]
  ptx.ret
}
