ptx.kernel @example(%x : i32) {
  %y = ptx.add u32 %x, %x
  %z = ptx.load_parameter %y : i32 -> i32
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32) {
  %y = ptx.add u32 %x, %x
  %z = ptx.load_parameter %x : i32 -> i32
  ptx.ret
}
