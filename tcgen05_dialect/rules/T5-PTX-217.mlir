ptx.kernel @example(%b : i32, %n : i32) {
  ptx.mbarrier.complete_tx relaxed [%b], %n
  ptx.ret
}

// -----

ptx.kernel @example(%b : i32, %n : i32) {
  ptx.mbarrier.complete_tx relaxed cluster [%b], %n
  ptx.ret
}
