// T5-PTX-051
// section: 9.7.9.25.6.2
// subject: number of bulk groups left pending
// statement: The number of bulk groups that may stay pending is not negative.
// why: ptxas refuses a negative number.
// fix: give zero or more pending groups

ptx.kernel @example() {
  ptx.cp.async.bulk.wait_group -1
  ptx.ret
}

// -----

ptx.kernel @example() {
  ptx.cp.async.bulk.wait_group 0
  ptx.ret
}
