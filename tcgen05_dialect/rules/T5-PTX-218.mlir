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
