// T5-PTX-042
// section: 9.7.13.15.2
// subject: count of arrivals
// statement: The number of arrivals in a phase is at least one and at most the maximum count of a
//     barrier object.
// why: The manual leaves other counts undefined.
// fix: expect at least one arrival, and at most the maximum count of a barrier object

ptx.kernel @example(%barrier : i32) {
  %count = ptx.constant 0 : i32
  ptx.mbarrier.init [%barrier], %count
  ptx.ret
}

// -----

ptx.kernel @example(%barrier : i32) {
  %count = ptx.constant 1 : i32
  ptx.mbarrier.init [%barrier], %count
  ptx.ret
}
