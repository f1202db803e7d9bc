// T5-PTX-081
// section: 5.2
// subject: type of a register
// statement: A value has a register type: a predicate, or an integer or float of a size that PTX
//     has.
// why: PTX has no registers for other types.
// fix: convert the value to a register type

ptx.kernel @example(%p : i64, %a : i32) {
  %low = arith.trunci %a : i32 to i8
  %wide = arith.extui %low : i8 to i32
  ptx.st global b32 [%p], {%wide}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %a : i32) {
  %low = arith.trunci %a : i32 to i16
  %wide = arith.extui %low : i16 to i32
  ptx.st global b32 [%p], {%wide}
  ptx.ret
}
