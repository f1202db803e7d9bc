// T5-SIM-017
// section: 9.7.13.15.1
// subject: visibility of an initialised barrier object
// statement: A barrier object is used by other threads and by the async proxy only after a fence
//     that follows its initialisation.
// why: An arrival is lost if it comes before the initialisation is visible.
// fix: execute fence.mbarrier_init or fence.proxy.async after the init, followed by a barrier
// shown by: run

ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @example() attributes {reqntid = array<i32: 1, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %parity = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %barrier = ptx.address_of @barrier
  ptx.mbarrier.init [%barrier], %one
  ptx.barrier.cluster.arrive relaxed
  ptx.barrier.cluster.wait
  %rank = ptx.special_register cluster_ctarank
  %other = arith.xori %rank, %one : i32
  %remote = ptx.mapa %barrier, %other
  ptx.mbarrier.arrive.remote [%remote]
  ptx.mbarrier.wait acquire cluster [%barrier], %parity
  ptx.barrier.cluster.arrive relaxed
  ptx.barrier.cluster.wait
  ptx.ret
}

// -----

ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @example() attributes {reqntid = array<i32: 1, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %parity = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %barrier = ptx.address_of @barrier
  ptx.mbarrier.init [%barrier], %one
  ptx.fence.mbarrier_init
  ptx.barrier.cluster.arrive relaxed
  ptx.barrier.cluster.wait
  %rank = ptx.special_register cluster_ctarank
  %other = arith.xori %rank, %one : i32
  %remote = ptx.mapa %barrier, %other
  ptx.mbarrier.arrive.remote [%remote]
  ptx.mbarrier.wait acquire cluster [%barrier], %parity
  ptx.barrier.cluster.arrive relaxed
  ptx.barrier.cluster.wait
  ptx.ret
}
