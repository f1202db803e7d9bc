// T5-PTX-043
// section: 9.7.13.15.2
// subject: count of bytes
// statement: The number of bytes that a phase expects is at most the maximum transaction count of a
//     barrier object.
// why: The transaction count would overflow, and the phase would end too early or never.
// fix: split the copies into several phases

ptx.kernel @example(%barrier : i32) {
  %bytes = ptx.constant 1048576 : i32
  ptx.mbarrier.expect_tx [%barrier], %bytes
  ptx.ret
}

// -----

ptx.kernel @example(%barrier : i32) {
  %bytes = ptx.constant 16384 : i32
  ptx.mbarrier.expect_tx [%barrier], %bytes
  ptx.ret
}
