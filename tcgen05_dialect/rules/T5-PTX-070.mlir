ptx.kernel @"my-kernel"() {
  ptx.ret
}

// -----

ptx.kernel @my_kernel() {
  ptx.ret
}
