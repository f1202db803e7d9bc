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
