ptx.kernel @example(%x : i32, %y : i32) {
  %largest = ptx.max NaN s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %largest = ptx.max s32 %x, %y
  ptx.ret
}
