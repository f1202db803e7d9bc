// A pair of CTAs multiplies along K: each brings its halves of A and B to a ring of two stages, and a
// commit of the leader frees a stage in both.
//
// argument a: bf16 256x80, box 16x128 swizzle_32b
// argument b: bf16 16x80, box 16x8 swizzle_32b
// argument out: f32 2x32x16
// result out: np.stack([a[:32] @ b.T, a[128:160] @ b.T])

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x16xf32>
!rows = !tcgen05.tmem<32x16xf32>

ptx.shared_memory @a_tiles size 8192 alignment 1024
ptx.shared_memory @b_tiles size 2048 alignment 1024
ptx.shared_memory @loaded size 16 alignment 8
ptx.shared_memory @free size 16 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @pair_ring(
    %a_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>,
    %b_map : !ptx.tensor_map<8x16xbf16, swizzle_32b>, %out : i64
) attributes {reqntid = array<i32: 64, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c5 = arith.constant 5 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c1024 = arith.constant 1024 : i32
  %c4096 = arith.constant 4096 : i32
  %bytes = arith.constant 8704 : i32
  %all_lanes = arith.constant -1 : i32
  %both = arith.constant 3 : i16
  %a_tiles = ptx.address_of @a_tiles
  %b_tiles = ptx.address_of @b_tiles
  %loaded = ptx.address_of @loaded
  %free = ptx.address_of @free
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  %is_leader = arith.cmpi eq, %rank, %c0 : i32
  %first_row = arith.muli %rank, %c128 : i32
  %first_column = arith.muli %rank, %c8 : i32
  %leader, %elected = ptx.elect.sync %all_lanes
  %is_second_warp = arith.cmpi uge, %thread, %c32 : i32
  %copies = arith.andi %is_first_warp, %elected : i1
  %issues = arith.andi %is_second_warp, %elected : i1
  %multiplies = arith.andi %issues, %is_leader : i1
  %row = ptx.mad u32 %rank, %c32, %lane
  %to = ptx.mad.wide u32 %row, %c64, %out
  scf.if %copies {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%loaded + 8], %c1
    // step: count of arrivals, one for each CTA [T5-SIM-005] -> ptx.mbarrier.init [%free], %c2
    ptx.mbarrier.init [%free], %c1
    ptx.mbarrier.init [%free + 8], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
  }
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  scf.if %is_first_warp {
    tcgen05.alloc cta_group_2 %slot, %c32
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  // The leader's barriers count what comes to both CTAs.
  %leaders_loaded = ptx.mapa %loaded, %c0
  scf.for %i = %c0 to %c5 step %c1 : i32 {
    %stage = arith.remui %i, %c2 : i32
    %round = arith.divui %i, %c2 : i32
    %parity = arith.andi %round, %c1 : i32
    %parity_before = arith.xori %parity, %c1 : i32
    %at = arith.muli %stage, %c8 : i32
    %stage_loaded = arith.addi %loaded, %at : i32
    %stage_free = arith.addi %free, %at : i32
    %a_tile = ptx.mad u32 %stage, %c4096, %a_tiles
    %b_tile = ptx.mad u32 %stage, %c1024, %b_tiles
    scf.if %copies {
      // step: wait of the peer for a free stage [T5-SIM-014] -> scf.if %is_leader { ptx.mbarrier.wait [%stage_free], %parity_before }
      ptx.mbarrier.wait [%stage_free], %parity_before // step: wait for a free stage [T5-SIM-014]
      scf.if %is_leader {
        ptx.mbarrier.arrive.expect_tx [%stage_loaded], %bytes
      }
      %column = arith.muli %i, %c16 : i32
      %stage_leaders = arith.addi %leaders_loaded, %at : i32
      ptx.cp.async.bulk.tensor.load "cta_group::2" [%a_tile], %a_map, {%column, %first_row}, [%stage_leaders]
      ptx.cp.async.bulk.tensor.load "cta_group::2" [%b_tile], %b_map, {%column, %first_column}, [%stage_leaders]
    }
    scf.if %multiplies {
      ptx.mbarrier.wait [%stage_loaded], %parity
      tcgen05.fence after_thread_sync
      %a = tcgen05.descriptor %a_tile : !a
      %b = tcgen05.descriptor %b_tile : !b
      %is_later = arith.cmpi ne, %i, %c0 : i32
      tcgen05.mma cta_group_2 %d, %a, %b accumulate %is_later {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 256x16>} : !d, !a, !b
      // mistake: a second commit [T5-SIM-022] -> tcgen05.commit cta_group_2 %stage_free multicast %both
      // step: multicast of the commit [T5-SIM-005] -> tcgen05.commit cta_group_2 %stage_free
      tcgen05.commit cta_group_2 %stage_free multicast %both // step: commit [T5-SIM-005]
    }
  }
  scf.if %multiplies {
    tcgen05.commit cta_group_2 %multiplied multicast %both
  }
  scf.if %is_first_warp {
    ptx.bar.warp.sync %all_lanes
    ptx.mbarrier.wait [%multiplied], %c0 // step: wait before the load [T5-SIM-014]
    tcgen05.fence after_thread_sync
    %part = tcgen05.slice %d[0, 0] : !d to !rows
    %v:16 = tcgen05.ld shape_32x32b x16 %part : !rows
    tcgen05.wait ld
    ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
    ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
    ptx.st global b32 [%to + 32], {%v#8, %v#9, %v#10, %v#11}
    ptx.st global b32 [%to + 48], {%v#12, %v#13, %v#14, %v#15}
  }
  tcgen05.fence before_thread_sync
  ptx.bar.warp.sync %all_lanes
  ptx.barrier.cluster.arrive aligned ptx.barrier.cluster.wait aligned
  scf.if %is_first_warp {
    tcgen05.dealloc cta_group_2 %all, %c32 : !all
  }
  ptx.ret
}
