ptx.kernel @example(%n : i32) {
  ptx.nanosleep %n
}

// -----

ptx.kernel @example(%n : i32) {
  ptx.nanosleep %n
  ptx.ret
}
