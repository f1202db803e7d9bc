ptx.kernel @example(%x : i32, %y : i32) {
  %less, %other = ptx.setp_pair lt and s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %less, %other = ptx.setp_pair lt s32 %x, %y
  ptx.ret
}
