ptx.kernel @example(%x : i32, %y : i32) {
  %less = ptx.setp lt b32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %less = ptx.setp lt s32 %x, %y
  ptx.ret
}
