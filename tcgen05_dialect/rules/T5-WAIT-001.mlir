ptx.kernel @example() {
  "tcgen05.wait"() <{operation = "mma"}> : () -> ()
  ptx.ret
}

// -----

ptx.kernel @example() {
  "tcgen05.wait"() <{operation = "ld"}> : () -> ()
  ptx.ret
}
