// T5-SIM-035
// section: 9.7.16.7.1
// subject: dealloc of a CTA pair after the loads and stores of the peer
// statement: A CTA of a pair frees tensor memory only when the loads and stores of both CTAs are
//     complete.
// why: dealloc frees the columns of both CTAs, and the manual does not guarantee that it waits for
//     the peer.
// fix: execute a cluster barrier, or wait for an arrival of the peer, before dealloc
// practice: the 2-SM GEMM tutorial of CuTe frees without a cluster barrier
// shown by: run

!all = !tcgen05.tmem<128x32xf32>
!rows = !tcgen05.tmem<32x1xf32>
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {cluster_dims = array<i32: 2, 1, 1>, reqntid = array<i32: 32, 1, 1>} {
  %columns = arith.constant 32 : i32
  %slot = ptx.address_of @slot
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  tcgen05.alloc cta_group_2 %slot, %columns
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  %all = tcgen05.load_address %slot : !all
  %rows = tcgen05.slice %all[0, 0] : !all to !rows
  %zero = arith.constant 0.0 : f32
  tcgen05.st shape_32x32b x1 %rows, (%zero) : !rows
  tcgen05.wait st
  tcgen05.dealloc cta_group_2 %all, %columns : !all
  ptx.ret
}

// -----

!all = !tcgen05.tmem<128x32xf32>
!rows = !tcgen05.tmem<32x1xf32>
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {cluster_dims = array<i32: 2, 1, 1>, reqntid = array<i32: 32, 1, 1>} {
  %columns = arith.constant 32 : i32
  %slot = ptx.address_of @slot
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  tcgen05.alloc cta_group_2 %slot, %columns
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  %all = tcgen05.load_address %slot : !all
  %rows = tcgen05.slice %all[0, 0] : !all to !rows
  %zero = arith.constant 0.0 : f32
  tcgen05.st shape_32x32b x1 %rows, (%zero) : !rows
  tcgen05.wait st
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  tcgen05.dealloc cta_group_2 %all, %columns : !all
  ptx.ret
}
