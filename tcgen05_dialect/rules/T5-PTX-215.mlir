ptx.kernel @example(%b : i32, %n : i32) {
  ptx.mbarrier.arrive_drop release [%b]
  ptx.ret
}

// -----

ptx.kernel @example(%b : i32, %n : i32) {
  ptx.mbarrier.arrive_drop release cta [%b]
  ptx.ret
}
