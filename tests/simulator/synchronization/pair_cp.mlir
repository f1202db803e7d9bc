// A pair of CTAs: each writes a tile to its own shared memory, and one thread copies both to the
// tensor memory of either.
//
// argument a: u32 2x32x4
// argument out: u32 2x32x4
// result out: a

!source = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
!all = !tcgen05.tmem<128x32xi32>
!cells = !tcgen05.tmem<128x4xi32>
!rows = !tcgen05.tmem<32x4xi32>

ptx.shared_memory @tile size 512 alignment 128
ptx.shared_memory @copied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @pair_cp(%a : i64, %out : i64)
    attributes {reqntid = array<i32: 32, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %both = arith.constant 3 : i16
  %all_lanes = arith.constant -1 : i32
  %tile = ptx.address_of @tile
  %copied = ptx.address_of @copied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %index = ptx.mad u32 %rank, %c32, %lane
  %from = ptx.mad.wide u32 %index, %c16, %a
  %to = ptx.mad.wide u32 %index, %c16, %out
  %place = ptx.mad u32 %lane, %c16, %tile
  %is_leader = arith.cmpi eq, %rank, %c0 : i32
  %leader, %elected = ptx.elect.sync %all_lanes
  %issues = arith.andi %elected, %is_leader : i1
  scf.if %elected {
    ptx.mbarrier.init [%copied], %c1
    ptx.fence.mbarrier_init
  }
  ptx.bar.warp.sync %all_lanes
  ptx.barrier.cluster.arrive relaxed aligned
  %x:4 = ptx.ld global b32 [%from] -> 4 x i32
  ptx.st "shared::cta" b32 [%place], {%x#0, %x#1, %x#2, %x#3}
  ptx.fence.proxy.async "shared::cta" // step: proxy fence before the copy [T5-SIM-015]
  ptx.barrier.cluster.wait aligned
  tcgen05.alloc cta_group_2 %slot, %c32 // step: alloc [T5-SIM-013]
  %all = tcgen05.load_address %slot : !all
  %cells = tcgen05.slice %all[0, 0] : !all to !cells
  ptx.barrier.cluster.arrive aligned ptx.barrier.cluster.wait aligned // step: cluster barrier before the copy [T5-SIM-014]
  scf.if %issues {
    %source = tcgen05.descriptor %tile : !source
    tcgen05.cp cta_group_2 shape_32x128b warpx4 %cells, %source : !cells, !source
    // step: multicast of the commit [T5-SIM-005] -> tcgen05.commit cta_group_2 %copied
    tcgen05.commit cta_group_2 %copied multicast %both // step: commit [T5-SIM-005]
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%copied], %c0 // step: wait before the load [T5-SIM-014]
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
  %part = tcgen05.slice %cells[0, 0] : !cells to !rows
  %v:4 = tcgen05.ld shape_32x32b x4 %part : !rows
  tcgen05.wait ld // step: wait::ld before dealloc [T5-SIM-014]
  tcgen05.fence before_thread_sync
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  tcgen05.dealloc cta_group_2 %all, %c32 : !all
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  ptx.ret
}
