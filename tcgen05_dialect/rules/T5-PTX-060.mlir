ptx.kernel @example() {
  %barrier = ptx.constant 16 : i32
  ptx.bar.sync %barrier
  ptx.ret
}

// -----

ptx.kernel @example() {
  %barrier = ptx.constant 1 : i32
  ptx.bar.sync %barrier
  ptx.ret
}
