// Each CTA of a cluster copies to its tensor memory what the first CTA brought to both; their
// commits tell the first CTA, which then overwrites the tiles with the next ones.
//
// argument a: u32 64x4, box 4x32 no_swizzle
// argument out: u32 2x2x32x4
// result out: np.stack([a.reshape(2, 32, 4)] * 2)

!source = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
!all = !tcgen05.tmem<128x32xi32>
!cells = !tcgen05.tmem<128x4xi32>
!rows = !tcgen05.tmem<32x4xi32>

ptx.shared_memory @tile size 512 alignment 128
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @copied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @commit_multicast(%map : !ptx.tensor_map<32x4xu32>, %out : i64)
    attributes {reqntid = array<i32: 32, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %bytes = arith.constant 512 : i32
  %all_lanes = arith.constant -1 : i32
  %both = arith.constant 3 : i16
  %first = arith.constant 1 : i16
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  %copied = ptx.address_of @copied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %is_first_cta = arith.cmpi eq, %rank, %c0 : i32
  %leader, %elected = ptx.elect.sync %all_lanes
  %issues = arith.andi %elected, %is_first_cta : i1
  tcgen05.alloc %slot, %c32
  %all = tcgen05.load_address %slot : !all
  %cells = tcgen05.slice %all[0, 0] : !all to !cells
  scf.if %elected {
    ptx.mbarrier.init [%loaded], %c1
    // step: count of arrivals, one for both CTAs [T5-SIM-014] -> ptx.mbarrier.init [%copied], %c1
    ptx.mbarrier.init [%copied], %c2
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
  }
  ptx.bar.warp.sync %all_lanes
  ptx.barrier.cluster.arrive aligned ptx.barrier.cluster.wait aligned // step: cluster barrier behind mbarrier.init [T5-SIM-008]
  scf.for %i = %c0 to %c2 step %c1 : i32 {
    %first_row = arith.muli %i, %c32 : i32
    scf.if %elected {
      ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    }
    scf.if %issues {
      ptx.cp.async.bulk.tensor.load multicast_mask(%both) [%tile], %map, {%c0, %first_row}, [%loaded]
    }
    scf.if %elected {
      ptx.mbarrier.wait [%loaded], %i // step: wait for the tile [T5-SIM-014]
      tcgen05.fence after_thread_sync
      %source = tcgen05.descriptor %tile : !source
      tcgen05.cp shape_32x128b warpx4 %cells, %source : !cells, !source
      // step: mask of the commit, without the peer [T5-SIM-005] -> tcgen05.commit %copied multicast %first
      // step: multicast of the commit [T5-SIM-005] -> tcgen05.commit %copied
      tcgen05.commit %copied multicast %both // step: commit [T5-SIM-005]
    }
    ptx.bar.warp.sync %all_lanes
    // This waits for both CTAs, so that the next tile overwrites neither's.
    ptx.mbarrier.wait acquire cluster [%copied], %i // step: wait before the load [T5-SIM-014]
    tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
    %part = tcgen05.slice %cells[0, 0] : !cells to !rows
    %v:4 = tcgen05.ld shape_32x32b x4 %part : !rows
    tcgen05.wait ld // step: wait::ld before the next copy [T5-SIM-014]
    tcgen05.fence before_thread_sync
    ptx.bar.warp.sync %all_lanes
    %round = ptx.mad u32 %rank, %c2, %i
    %row = ptx.mad u32 %round, %c32, %lane
    %to = ptx.mad.wide u32 %row, %c16, %out
    ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  }
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}
