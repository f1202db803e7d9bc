// T5-PTX-054
// section: 9.7.9.25.3.3
// subject: number of groups of copies left pending
// statement: The number of groups of copies that may stay pending is not negative.
// why: ptxas refuses a negative number.
// fix: give zero or more pending groups

ptx.kernel @example() {
  ptx.cp.async.wait_group -1
  ptx.ret
}

// -----

ptx.kernel @example() {
  ptx.cp.async.wait_group 0
  ptx.ret
}
