// T5-SIM-023
// section: 9.7.16.5
// subject: collective operation of a CTA pair
// statement: Both CTAs of a pair are running when one issues mma, cp or shift with cta_group::2.
//     Both CTAs execute the same alloc, dealloc and relinquish_alloc_permit, and they free only
//     memory that no mma, cp or shift uses.
// why: The operation takes effect in both CTAs. It is undefined before the other CTA starts and
//     after it ends, and a CTA that frees memory alone takes it from the other CTA.
// fix: execute alloc, dealloc and relinquish_alloc_permit in both CTAs, with a cluster barrier
//     before the first operation of the pair and before dealloc
// shown by: run

!all = !tcgen05.tmem<128x32xf32>
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {cluster_dims = array<i32: 2, 1, 1>, reqntid = array<i32: 32, 1, 1>} {
  %c32 = arith.constant 32 : i32
  %rank = ptx.special_register cluster_ctarank
  %columns = ptx.mad u32 %rank, %c32, %c32
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
