ptx.kernel @example(%b : i32, %n : i32) {
  %s = ptx.mbarrier.arrive.no_complete release [%b], %n
  ptx.ret
}

// -----

ptx.kernel @example(%b : i32, %n : i32) {
  %s = ptx.mbarrier.arrive.no_complete release cta [%b], %n
  ptx.ret
}
