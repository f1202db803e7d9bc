ptx.kernel @example(%p : i64, %a : i32, %b : i32) {
  %low, %high = arith.mului_extended %a, %b : i32
  ptx.st global b32 [%p], {%high}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %a : i32, %b : i32) {
  %high = ptx.mul hi u32 %a, %b
  ptx.st global b32 [%p], {%high}
  ptx.ret
}
