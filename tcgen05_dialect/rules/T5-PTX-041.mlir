ptx.kernel @example(%barrier : i32, %parity : i32) {
  ptx.mbarrier.wait cluster [%barrier], %parity
  ptx.ret
}

// -----

ptx.kernel @example(%barrier : i32, %parity : i32) {
  ptx.mbarrier.wait acquire cluster [%barrier], %parity
  ptx.ret
}
