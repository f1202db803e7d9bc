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
