ptx.shared_memory @barriers size 16 alignment 8
ptx.kernel @example() {
  %one = ptx.constant 1 : i32
  %barrier = ptx.address_of @barriers + 4
  ptx.mbarrier.init [%barrier], %one
  ptx.ret
}

// -----

ptx.shared_memory @barriers size 16 alignment 8
ptx.kernel @example() {
  %one = ptx.constant 1 : i32
  %barrier = ptx.address_of @barriers + 8
  ptx.mbarrier.init [%barrier], %one
  ptx.ret
}
