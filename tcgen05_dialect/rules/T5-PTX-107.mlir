// T5-PTX-107
// section: 4.5
// subject: type of a constant
// statement: A constant and its result have the same type.
// why: The bits of the value would be interpreted as another type.
// fix: give the value and the result of the constant the same type

ptx.kernel @example() {
  %x = "ptx.constant"() <{value = 1 : i32}> : () -> i64
  ptx.ret
}

// -----

ptx.kernel @example() {
  %x = "ptx.constant"() <{value = 1 : i64}> : () -> i64
  ptx.ret
}
