// T5-SIM-005
// section: 9.7.13.15
// subject: progress
// statement: Every wait ends: each barrier for which a thread waits gets the arrivals that it
//     expects.
// why: On a GPU the kernel hangs. So does a thread that waits for the wrong parity: a wait for
//     parity 0 ends after phase 0, 2, 4 and so on, a wait for parity 1 after phase 1, 3, 5 and so
//     on. Before phase 0 has ended, a wait for parity 1 ends at once.
// fix: give each barrier for which a thread waits all arrivals that it expects, and wait for the
//     parity of the phase that these arrivals end
// shown by: run

ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @example() attributes {reqntid = array<i32: 1, 1, 1>} {
  %parity = arith.constant 0 : i32
  %count = arith.constant 2 : i32
  %barrier = ptx.address_of @barrier
  ptx.mbarrier.init [%barrier], %count
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
