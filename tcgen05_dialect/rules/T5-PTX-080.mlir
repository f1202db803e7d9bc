// T5-PTX-080
// section: 9.4
// subject: type of an operand or a result
// statement: A register has the type that the qualifiers of the instruction require.
// why: ptxas refuses the text.
// fix: convert the value, or use the qualifier of its type

ptx.kernel @example(%x : i32, %y : i64) {
  %sum = ptx.add s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %sum = ptx.add s32 %x, %y
  ptx.ret
}
