ptx.kernel @example() {
  ptx.cp.async.wait_group -1
  ptx.ret
}

// -----

ptx.kernel @example() {
  ptx.cp.async.wait_group 0
  ptx.ret
}
