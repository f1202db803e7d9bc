!all = !tcgen05.tmem<128x32xf32>
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {cluster_dims = array<i32: 2, 1, 1>, reqntid = array<i32: 32, 1, 1>} {
  %columns = arith.constant 32 : i32
  %slot = ptx.address_of @slot
  tcgen05.alloc %slot, %columns {cta_group = 2 : i32}
  %all = tcgen05.load_address %slot : !all
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  tcgen05.dealloc %all, %columns {cta_group = 2 : i32} : !all
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
  tcgen05.alloc %slot, %columns {cta_group = 2 : i32}
  %all = tcgen05.load_address %slot : !all
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  tcgen05.dealloc %all, %columns {cta_group = 2 : i32} : !all
  ptx.ret
}
