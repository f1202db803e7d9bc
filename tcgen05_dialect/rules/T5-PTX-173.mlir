ptx.kernel @example() {
  ptx.pmevent 16
  ptx.ret
}

// -----

ptx.kernel @example() {
  ptx.pmevent 15
  ptx.ret
}
