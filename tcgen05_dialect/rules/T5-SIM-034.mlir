// T5-SIM-034
// section: 9.7.16.5
// subject: alloc of a CTA pair after the start of the peer
// statement: Both CTAs of a pair are running when one executes an alloc with cta_group::2.
// why: The manual makes alloc an operation of both CTAs, which may start at different times.
// fix: execute a cluster barrier before alloc
// practice: the 2-SM GEMM tutorial of CuTe allocates before its first cluster barrier
// shown by: run

!all = !tcgen05.tmem<128x32xf32>
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {cluster_dims = array<i32: 2, 1, 1>, reqntid = array<i32: 32, 1, 1>} {
  %columns = arith.constant 32 : i32
  %slot = ptx.address_of @slot
  tcgen05.alloc cta_group_2 %slot, %columns
  %all = tcgen05.load_address %slot : !all
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  tcgen05.dealloc cta_group_2 %all, %columns : !all
  ptx.ret
}

// -----

!all = !tcgen05.tmem<128x32xf32>
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {cluster_dims = array<i32: 2, 1, 1>, reqntid = array<i32: 32, 1, 1>} {
  %columns = arith.constant 32 : i32
  %slot = ptx.address_of @slot
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  tcgen05.alloc cta_group_2 %slot, %columns
  %all = tcgen05.load_address %slot : !all
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  tcgen05.dealloc cta_group_2 %all, %columns : !all
  ptx.ret
}
