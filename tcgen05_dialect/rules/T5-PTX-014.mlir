// T5-PTX-014
// section: 9.7.8.6
// subject: look-up table of lop3
// statement: The look-up table of lop3 has a bit for each combination of three bits.
// why: ptxas refuses other numbers.
// fix: combine 0xF0, 0xCC and 0xAA with the operators that should combine a, b and c

ptx.kernel @example(%a : i32, %b : i32, %c : i32) {
  %d = ptx.lop3 %a, %b, %c, 256
  ptx.ret
}

// -----

ptx.kernel @example(%a : i32, %b : i32, %c : i32) {
  %d = ptx.lop3 %a, %b, %c, 150
  ptx.ret
}
