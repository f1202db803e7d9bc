ptx.kernel @example(%x : i32, %y : i32) {
  %chosen = ptx.slct ftz b32 s32 %x, %y, %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %chosen = ptx.slct b32 s32 %x, %y, %x
  ptx.ret
}
