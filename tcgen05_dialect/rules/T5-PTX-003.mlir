ptx.kernel @example(%x : i32, %y : i32) {
  %product = ptx.mul u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %product = ptx.mul lo u32 %x, %y
  ptx.ret
}
