ptx.kernel @example(%barrier : i32) {
  ptx.mbarrier.arrive release [%barrier]
  ptx.ret
}

// -----

ptx.kernel @example(%barrier : i32) {
  ptx.mbarrier.arrive release cluster [%barrier]
  ptx.ret
}
