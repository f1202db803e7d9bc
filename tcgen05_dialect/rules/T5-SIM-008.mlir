// T5-SIM-008
// section: 9.7.13.15.1
// subject: use of a barrier object
// statement: A barrier object is initialised before its use, and each phase gets exactly the
//     arrivals and bytes that it expects.
// why: If arrivals go to other memory or come in the wrong number, phases end too early or never.
// fix: initialise the barrier object before its use, and make each phase expect exactly its
//     arrivals and bytes
// shown by: run

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
