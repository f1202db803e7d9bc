// T5-PTX-218
// section: 9.7.13.15.17
// subject: arrival whose state tells a pending count
// statement: The state of mbarrier.pending_count comes from an arrival with .noComplete.
// why: The manual leaves the count of other states undefined.
// fix: take the state from an arrival with .noComplete

ptx.kernel @example(%b : i32, %n : i32) {
  %s = ptx.mbarrier.arrive.state [%b]
  %t = ptx.mbarrier.arrive.no_complete [%b], %n
  %c = ptx.mbarrier.pending_count %s
  ptx.ret
}

// -----

ptx.kernel @example(%b : i32, %n : i32) {
  %s = ptx.mbarrier.arrive.state [%b]
  %t = ptx.mbarrier.arrive.no_complete [%b], %n
  %c = ptx.mbarrier.pending_count %t
  ptx.ret
}
