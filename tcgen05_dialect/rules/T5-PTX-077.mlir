// T5-PTX-077
// section: 11.4.4
// subject: CTAs of a multiprocessor
// statement: The value of minnctapersm is at most the number of CTAs that a multiprocessor can run.
// why: A multiprocessor cannot run more, and ptxas ignores the directive.
// fix: give at most the number of CTAs that a multiprocessor can run

ptx.kernel @example() attributes {minnctapersm = 33 : i32, maxntid = array<i32: 32>} {
  ptx.ret
}

// -----

ptx.kernel @example() attributes {minnctapersm = 32 : i32, maxntid = array<i32: 32>} {
  ptx.ret
}
