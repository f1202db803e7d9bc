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
