ptx.kernel @example() {
  ptx.setmaxnreg inc 100
  ptx.ret
}

// -----

ptx.kernel @example() {
  ptx.setmaxnreg inc 104
  ptx.ret
}
