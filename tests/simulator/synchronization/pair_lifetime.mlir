// A pair of CTAs: the leader's thread multiplies and both take part in the end; only the leader
// waits for the product, so that the peer must not free or end before it is told to.
//
// argument a: bf16 256x16, box 16x128 swizzle_32b
// argument b: bf16 16x16, box 16x8 swizzle_32b
// argument out: f32 32x16
// result out: a[:32] @ b.T

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x16xf32>
!rows = !tcgen05.tmem<32x16xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 256 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @peer_loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @pair_lifetime(
    %a_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>,
    %b_map : !ptx.tensor_map<8x16xbf16, swizzle_32b>, %out : i64
) attributes {reqntid = array<i32: 32, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %bytes = arith.constant 4352 : i32
  %all_lanes = arith.constant -1 : i32
  %false = arith.constant false
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %peer_loaded = ptx.address_of @peer_loaded
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %is_leader = arith.cmpi eq, %rank, %c0 : i32
  %first_row = arith.muli %rank, %c128 : i32
  %first_column = arith.muli %rank, %c8 : i32
  %to = ptx.mad.wide u32 %lane, %c64, %out
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%peer_loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async
  }
  ptx.bar.warp.sync %all_lanes
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  tcgen05.alloc cta_group_2 %slot, %c32
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  scf.if %elected {
    // Each CTA waits for its own tiles; then the peer tells the leader.
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %first_row}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %first_column}, [%loaded]
    ptx.mbarrier.wait [%loaded], %c0 // step: wait for the own tiles [T5-SIM-014]
    scf.if %is_leader {
      // step: acquire of the wait for the peer [T5-SIM-014] -> ptx.mbarrier.wait relaxed cluster [%peer_loaded], %c0
      ptx.mbarrier.wait acquire cluster [%peer_loaded], %c0 // step: wait for the peer's tiles [T5-SIM-014]
      tcgen05.fence after_thread_sync
      %a = tcgen05.descriptor %a_tile : !a
      %b = tcgen05.descriptor %b_tile : !b
      tcgen05.mma cta_group_2 %d, %a, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 256x16>} : !d, !a, !b
      tcgen05.commit cta_group_2 %multiplied // step: commit [T5-SIM-005]
      ptx.mbarrier.wait [%multiplied], %c0 // step: wait for the product [T5-SIM-014]
    } else {
      %leaders = ptx.mapa %peer_loaded, %c0
      // step: release of the peer's arrival [T5-SIM-014] -> ptx.mbarrier.arrive.remote relaxed cluster [%leaders]
      ptx.mbarrier.arrive.remote release cluster [%leaders] // step: arrival of the peer [T5-SIM-005]
    }
  }
  ptx.bar.warp.sync %all_lanes
  scf.if %is_leader {
    tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
    %part = tcgen05.slice %d[0, 0] : !d to !rows
    %v:16 = tcgen05.ld shape_32x32b x16 %part : !rows
    tcgen05.wait ld
    ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
    ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
    ptx.st global b32 [%to + 32], {%v#8, %v#9, %v#10, %v#11}
    ptx.st global b32 [%to + 48], {%v#12, %v#13, %v#14, %v#15}
  }
  tcgen05.fence before_thread_sync
  ptx.barrier.cluster.arrive aligned ptx.barrier.cluster.wait aligned // step: cluster barrier before dealloc [T5-SIM-023]
  tcgen05.dealloc cta_group_2 %all, %c32 : !all
  ptx.ret
}
