ptx.kernel @example(%flag : i1) {
  ptx.ret
}

// -----

ptx.kernel @example(%flag : i32) {
  ptx.ret
}
