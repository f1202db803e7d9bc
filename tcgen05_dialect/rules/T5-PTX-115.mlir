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
