ptx.kernel @example(%x : i32, %y : i64) {
  %sum = ptx.add s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %sum = ptx.add s32 %x, %y
  ptx.ret
}
