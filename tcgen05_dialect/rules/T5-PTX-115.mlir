// T5-PTX-115
// section: 7.1
// subject: function of func
// statement: A func.call names a func.func of the module that has a body. Its arguments and results
//     have the types that the function declares. The function is not recursive, and each of its
//     blocks ends with func.return, a branch or ptx.exit. A function that a role calls is one
//     block. Inlining adds a limited number of operations to a kernel.
// why: The compiler inlines every call.
// fix: call a func.func of the module that has a body and is not recursive, with arguments of the
//     types that it declares

func.func private @twice(%a : i32) -> i32 {
  %sum = arith.addi %a, %a : i32
  func.return %sum : i32
}

ptx.kernel @example(%n : i64, %p : i64) {
  %m = func.call @twice(%n) : (i64) -> i64
  ptx.st global b64 [%p], {%m}
  ptx.ret
}

// -----

func.func private @twice(%a : i64) -> i64 {
  %sum = arith.addi %a, %a : i64
  func.return %sum : i64
}

ptx.kernel @example(%n : i64, %p : i64) {
  %m = func.call @twice(%n) : (i64) -> i64
  ptx.st global b64 [%p], {%m}
  ptx.ret
}
