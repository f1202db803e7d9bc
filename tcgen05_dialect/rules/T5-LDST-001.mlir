ptx.kernel @example(%address : i32) {
  %v:128 = ptx.tcgen05.ld shape_16x128b x128 [%address] -> 128 x i32
  ptx.ret
}

// -----

ptx.kernel @example(%address : i32) {
  %v:128 = ptx.tcgen05.ld shape_16x128b x64 [%address] -> 128 x i32
  ptx.ret
}
