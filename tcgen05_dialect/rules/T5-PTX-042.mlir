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
