// A pair of CTAs multiplies with scale factors along K: each brings its halves of A and B, the scale
// factors of its rows of A and those of all rows of B to a ring of two stages. The leader copies the
// scale factors to the tensor memory of both, and its commit frees a stage in both. Each copy
// overwrites those of the products before without a wait, as kernels of CUTLASS do; the manual asks
// for one.
//
// warning T5-SIM-027
// argument a: e4m3 256x320, box 64x128 swizzle_64b
// argument b: e4m3 16x320, box 64x8 swizzle_64b
// argument scales_a: ue8m0 64x80, box 16x32 no_swizzle
// argument scales_b: ue8m0 32x80, box 16x32 no_swizzle
// argument out: f32 2x32x16
// result out: (a.reshape(2, 128, 5, 2, 32)[:, :32] * scales_a.reshape(2, 32, 5, 16)[..., :2, None]).reshape(2, 32, 320) @ (b.reshape(16, 5, 2, 32) * scales_b.reshape(32, 5, 16)[:16, :, :2, None]).reshape(16, 320).T

!a = !tcgen05.smem_descriptor<128x64xf8E4M3FN, k_major, swizzle_64b>
!b = !tcgen05.smem_descriptor<8x64xf8E4M3FN, k_major, swizzle_64b>
!a_next = !tcgen05.smem_descriptor<128x64xf8E4M3FN, k_major, swizzle_64b, k = 32>
!b_next = !tcgen05.smem_descriptor<8x64xf8E4M3FN, k_major, swizzle_64b, k = 32>
!source = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x16xf32>
!scales_a = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!scales_b = !tcgen05.tmem<16x4xf8E8M0FNU, scale>
!rows = !tcgen05.tmem<32x16xf32>

ptx.shared_memory @a_tiles size 16384 alignment 1024
ptx.shared_memory @b_tiles size 1024 alignment 1024
ptx.shared_memory @scales_a_tiles size 1024 alignment 128
ptx.shared_memory @scales_b_tiles size 1024 alignment 128
ptx.shared_memory @loaded size 16 alignment 8
ptx.shared_memory @free size 16 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @pair_block_scale(
    %a_map : !ptx.tensor_map<128x64xu8, swizzle_64b>,
    %b_map : !ptx.tensor_map<8x64xu8, swizzle_64b>, %scales_a_map : !ptx.tensor_map<32x16xu8>,
    %scales_b_map : !ptx.tensor_map<32x16xu8>, %out : i64
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
  %c512 = arith.constant 512 : i32
  %c8192 = arith.constant 8192 : i32
  %bytes = arith.constant 19456 : i32
  %true = arith.constant true
  %all_lanes = arith.constant -1 : i32
  %both = arith.constant 3 : i16
  %a_tiles = ptx.address_of @a_tiles
  %b_tiles = ptx.address_of @b_tiles
  %scales_a_tiles = ptx.address_of @scales_a_tiles
  %scales_b_tiles = ptx.address_of @scales_b_tiles
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
  %first_scale = arith.muli %rank, %c32 : i32
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
  %scales_a = tcgen05.slice %all[0, 16] : !all to !scales_a
  %scales_b = tcgen05.slice %all[0, 20] : !all to !scales_b
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
    %a_tile = ptx.mad u32 %stage, %c8192, %a_tiles
    %b_tile = ptx.mad u32 %stage, %c512, %b_tiles
    %scales_a_tile = ptx.mad u32 %stage, %c512, %scales_a_tiles
    %scales_b_tile = ptx.mad u32 %stage, %c512, %scales_b_tiles
    scf.if %copies {
      // step: wait of the peer for a free stage [T5-SIM-014] -> scf.if %is_leader { ptx.mbarrier.wait [%stage_free], %parity_before }
      ptx.mbarrier.wait [%stage_free], %parity_before // step: wait for a free stage [T5-SIM-014]
      scf.if %is_leader {
        ptx.mbarrier.arrive.expect_tx [%stage_loaded], %bytes
      }
      %column = arith.muli %i, %c64 : i32
      %scale = arith.muli %i, %c16 : i32
      %stage_leaders = arith.addi %leaders_loaded, %at : i32
      ptx.cp.async.bulk.tensor.load "cta_group::2" [%a_tile], %a_map, {%column, %first_row}, [%stage_leaders]
      ptx.cp.async.bulk.tensor.load "cta_group::2" [%b_tile], %b_map, {%column, %first_column}, [%stage_leaders]
      ptx.cp.async.bulk.tensor.load "cta_group::2" [%scales_a_tile], %scales_a_map, {%scale, %first_scale}, [%stage_leaders]
      ptx.cp.async.bulk.tensor.load "cta_group::2" [%scales_b_tile], %scales_b_map, {%scale, %c0}, [%stage_leaders]
    }
    scf.if %multiplies {
      ptx.mbarrier.wait [%stage_loaded], %parity // step: wait for the loads [T5-SIM-014]
      tcgen05.fence after_thread_sync
      %a = tcgen05.descriptor %a_tile : !a
      %b = tcgen05.descriptor %b_tile : !b
      %a_next = tcgen05.advance %a, k = 32 : !a
      %b_next = tcgen05.advance %b, k = 32 : !b
      %source_a = tcgen05.descriptor %scales_a_tile : !source
      %source_b = tcgen05.descriptor %scales_b_tile : !source
      // mistake: copy into the accumulator in flight [T5-SIM-014] -> %low = tcgen05.slice %all[0, 0] : !all to !scales_a tcgen05.cp cta_group_2 shape_32x128b warpx4 %low, %source_a : !scales_a, !source
      tcgen05.cp cta_group_2 shape_32x128b warpx4 %scales_a, %source_a : !scales_a, !source
      tcgen05.cp cta_group_2 shape_32x128b warpx4 %scales_b, %source_b : !scales_b, !source
      %is_later = arith.cmpi ne, %i, %c0 : i32
      tcgen05.mma.block_scale cta_group_2 %d, %a, %b scales %scales_a, %scales_b accumulate %is_later {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 256x16, scale_type ue8m0>} : !d, !a, !b, !scales_a, !scales_b
      tcgen05.mma.block_scale cta_group_2 %d, %a_next, %b_next scales %scales_a, %scales_b accumulate %true {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 256x16, scale_type ue8m0, sfa_id 1, sfb_id 1>} : !d, !a_next, !b_next, !scales_a, !scales_b
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
    tcgen05.fence after_thread_sync // step: fence before the load [T5-SIM-029]
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
