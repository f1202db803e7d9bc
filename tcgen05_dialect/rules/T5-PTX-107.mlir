ptx.kernel @example() {
  %x = "ptx.constant"() <{value = 1 : i32}> : () -> i64
  ptx.ret
}

// -----

ptx.kernel @example() {
  %x = "ptx.constant"() <{value = 1 : i64}> : () -> i64
  ptx.ret
}
