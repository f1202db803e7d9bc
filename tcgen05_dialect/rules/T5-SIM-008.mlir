ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @example() attributes {reqntid = array<i32: 1, 1, 1>} {
  %parity = arith.constant 0 : i32
  %count = arith.constant 1 : i32
  %barrier = ptx.address_of @barrier
  ptx.mbarrier.arrive [%barrier]
  ptx.mbarrier.wait [%barrier], %parity
  ptx.ret
}

// -----

ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @example() attributes {reqntid = array<i32: 1, 1, 1>} {
  %parity = arith.constant 0 : i32
  %count = arith.constant 1 : i32
  %barrier = ptx.address_of @barrier
  ptx.mbarrier.init [%barrier], %count
  ptx.mbarrier.arrive [%barrier]
  ptx.mbarrier.wait [%barrier], %parity
  ptx.ret
}
