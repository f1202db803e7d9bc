ptx.kernel @example(%a : i32, %b : i32, %c : i32) {
  %d = ptx.lop3 %a, %b, %c, 256
  ptx.ret
}

// -----

ptx.kernel @example(%a : i32, %b : i32, %c : i32) {
  %d = ptx.lop3 %a, %b, %c, 150
  ptx.ret
}
