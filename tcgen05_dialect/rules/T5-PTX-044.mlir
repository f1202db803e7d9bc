ptx.kernel @example(%barrier : i32) {
  %parity = ptx.constant 2 : i32
  ptx.mbarrier.wait [%barrier], %parity
  ptx.ret
}

// -----

ptx.kernel @example(%barrier : i32) {
  %parity = ptx.constant 0 : i32
  ptx.mbarrier.wait [%barrier], %parity
  ptx.ret
}
