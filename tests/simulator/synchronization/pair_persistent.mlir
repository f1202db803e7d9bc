// A persistent matrix product of a pair of CTAs: a warp loads, a thread of the leader multiplies, and
// four warps of each CTA store. The stages of the operands and two accumulators are used in turn.
// Mistakes are found under every schedule.
//
// argument a: bf16 256x32, box 16x128 swizzle_32b
// argument b: bf16 48x32, box 16x8 swizzle_32b
// argument out: f32 256x48, box 16x128 no_swizzle
// result out: a @ b.T

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x16xf32>
!rows = !tcgen05.tmem<32x16xf32>

ptx.shared_memory @a_tiles size 8192 alignment 1024
ptx.shared_memory @b_tiles size 2048 alignment 1024
ptx.shared_memory @stored size 8192 alignment 1024
ptx.shared_memory @loaded size 16 alignment 8
ptx.shared_memory @free size 16 alignment 8
ptx.shared_memory @multiplied size 16 alignment 8
ptx.shared_memory @read size 16 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @pair_persistent(
    %a_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>,
    %b_map : !ptx.tensor_map<8x16xbf16, swizzle_32b>, %out_map : !ptx.tensor_map<128x16xf32>
) attributes {reqntid = array<i32: 192, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
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
  %stored = ptx.address_of @stored
  %loaded = ptx.address_of @loaded
  %free = ptx.address_of @free
  %multiplied = ptx.address_of @multiplied
  %read = ptx.address_of @read
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %warp = arith.divui %thread, %c32 : i32
  %rank = ptx.special_register cluster_ctarank
  %is_leader = arith.cmpi eq, %rank, %c0 : i32
  %is_load_warp = arith.cmpi eq, %warp, %c4 : i32
  %is_store_warp = arith.cmpi ult, %warp, %c4 : i32
  %is_mma_warp = arith.cmpi ugt, %warp, %c4 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %first_row = arith.muli %rank, %c128 : i32
  %half = arith.muli %rank, %c8 : i32
  %leaders_loaded = ptx.mapa %loaded, %c0
  %leaders_read = ptx.mapa %read, %c0
  %leader, %elected = ptx.elect.sync %all_lanes
  %initialises = arith.andi %elected, %is_load_warp : i1
  scf.if %initialises {
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %at = arith.muli %i, %c8 : i32
      %loaded_i = arith.addi %loaded, %at : i32
      %free_i = arith.addi %free, %at : i32
      %multiplied_i = arith.addi %multiplied, %at : i32
      %read_i = arith.addi %read, %at : i32
      ptx.mbarrier.init [%loaded_i], %c1
      ptx.mbarrier.init [%free_i], %c1
      ptx.mbarrier.init [%multiplied_i], %c1
      ptx.mbarrier.init [%read_i], %c8
    }
    ptx.fence.mbarrier_init
  }
  ptx.bar.warp.sync %all_lanes
  // step: barrier of the cluster before alloc [T5-SIM-017] -> ptx.bar.sync %c0
  ptx.barrier.cluster.arrive relaxed aligned ptx.barrier.cluster.wait aligned
  scf.if %is_mma_warp {
    tcgen05.alloc cta_group_2 %slot, %c32
    // step: relinquish_alloc_permit of both CTAs [T5-SIM-023] -> scf.if %is_leader { tcgen05.relinquish_alloc_permit cta_group_2 }
    tcgen05.relinquish_alloc_permit cta_group_2
  }
  ptx.bar.sync %c0
  %all = tcgen05.load_address %slot : !all

  scf.if %is_load_warp {
    scf.if %elected {
      scf.for %tile = %c0 to %c3 step %c1 : i32 {
        scf.for %block = %c0 to %c2 step %c1 : i32 {
          // A block uses the stage of its number, and its tile is the round.
          %parity = arith.andi %tile, %c1 : i32
          %parity_before = arith.xori %parity, %c1 : i32
          %at = arith.muli %block, %c8 : i32
          %stage_free = arith.addi %free, %at : i32
          %stage_loaded = arith.addi %loaded, %at : i32
          %stage_leaders_loaded = arith.addi %leaders_loaded, %at : i32
          %a_tile = ptx.mad u32 %block, %c4096, %a_tiles
          %b_tile = ptx.mad u32 %block, %c1024, %b_tiles
          ptx.mbarrier.wait [%stage_free], %parity_before
          scf.if %is_leader {
            ptx.mbarrier.arrive.expect_tx [%stage_loaded], %bytes
          }
          %k = arith.muli %block, %c16 : i32
          %first_column = ptx.mad u32 %tile, %c16, %half
          ptx.cp.async.bulk.tensor.load "cta_group::2" [%a_tile], %a_map, {%k, %first_row}, [%stage_leaders_loaded]
          ptx.cp.async.bulk.tensor.load "cta_group::2" [%b_tile], %b_map, {%k, %first_column}, [%stage_leaders_loaded]
        }
      }
    }
    ptx.bar.warp.sync %all_lanes
  }

  %multiplies = arith.andi %is_mma_warp, %is_leader : i1
  scf.if %multiplies {
    scf.if %elected {
      scf.for %tile = %c0 to %c3 step %c1 : i32 {
        %buffer = arith.andi %tile, %c1 : i32
        %round = arith.divui %tile, %c2 : i32
        %round_before = arith.xori %round, %c1 : i32
        %at_buffer = arith.muli %buffer, %c8 : i32
        %buffer_read = arith.addi %read, %at_buffer : i32
        %buffer_multiplied = arith.addi %multiplied, %at_buffer : i32
        %column = arith.muli %buffer, %c16 : i32
        %d = tcgen05.slice %all[%c0, %column] : !all to !d
        ptx.mbarrier.wait [%buffer_read], %round_before // step: wait until both CTAs have read the accumulator [T5-SIM-014]
        tcgen05.fence after_thread_sync
        scf.for %block = %c0 to %c2 step %c1 : i32 {
          %parity = arith.andi %tile, %c1 : i32
          %at = arith.muli %block, %c8 : i32
          %stage_free = arith.addi %free, %at : i32
          %stage_loaded = arith.addi %loaded, %at : i32
          %a_tile = ptx.mad u32 %block, %c4096, %a_tiles
          %b_tile = ptx.mad u32 %block, %c1024, %b_tiles
          ptx.mbarrier.wait [%stage_loaded], %parity
          tcgen05.fence after_thread_sync
          %a = tcgen05.descriptor %a_tile : !a
          %b = tcgen05.descriptor %b_tile : !b
          %is_later = arith.cmpi ne, %block, %c0 : i32
          tcgen05.mma cta_group_2 %d, %a, %b accumulate %is_later {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 256x16>} : !d, !a, !b
          tcgen05.commit cta_group_2 %stage_free multicast %both
        }
        tcgen05.commit cta_group_2 %buffer_multiplied multicast %both
      }
    }
    ptx.bar.warp.sync %all_lanes
  }

  scf.if %is_store_warp {
    %first_lane = arith.muli %warp, %c32 : i32
    %place = ptx.mad u32 %thread, %c64, %stored
    scf.for %tile = %c0 to %c3 step %c1 : i32 {
      %buffer = arith.andi %tile, %c1 : i32
      %round = arith.divui %tile, %c2 : i32
      %at_buffer = arith.muli %buffer, %c8 : i32
      %buffer_multiplied = arith.addi %multiplied, %at_buffer : i32
      %leaders_buffer_read = arith.addi %leaders_read, %at_buffer : i32
      %column = arith.muli %buffer, %c16 : i32
      ptx.mbarrier.wait [%buffer_multiplied], %round
      tcgen05.fence after_thread_sync
      %rows = tcgen05.slice %all[%first_lane, %column] : !all to !rows
      %v:16 = tcgen05.ld shape_32x32b x16 %rows : !rows
      tcgen05.wait ld // step: wait::ld before the arrival [T5-SIM-014]
      tcgen05.fence before_thread_sync
      ptx.bar.warp.sync %all_lanes
      scf.if %elected {
        // step: scope of the arrival at the leader [T5-SIM-016] -> ptx.mbarrier.arrive.remote release cta [%leaders_buffer_read]
        ptx.mbarrier.arrive.remote release cluster [%leaders_buffer_read]
      }
      scf.if %is_first {
        ptx.cp.async.bulk.wait_group read 0 // step: wait until the store has read [T5-SIM-014]
      }
      ptx.bar.sync %c1 threads(%c128) // step: barrier before the tile is overwritten [T5-SIM-014]
      ptx.st "shared::cta" b32 [%place], {%v#0, %v#1, %v#2, %v#3}
      ptx.st "shared::cta" b32 [%place + 16], {%v#4, %v#5, %v#6, %v#7}
      ptx.st "shared::cta" b32 [%place + 32], {%v#8, %v#9, %v#10, %v#11}
      ptx.st "shared::cta" b32 [%place + 48], {%v#12, %v#13, %v#14, %v#15}
      ptx.fence.proxy.async "shared::cta" // step: proxy fence before the store [T5-SIM-015]
      ptx.bar.sync %c1 threads(%c128)
      scf.if %is_first {
        %first_column = arith.muli %tile, %c16 : i32
        ptx.cp.async.bulk.tensor.store %out_map, {%first_column, %first_row}, [%stored]
        ptx.cp.async.bulk.commit_group
      }
      ptx.bar.warp.sync %all_lanes // step: bar.warp.sync before the next load [T5-SIM-030]
    }
    scf.if %is_first {
      ptx.cp.async.bulk.wait_group 0
    }
    ptx.bar.warp.sync %all_lanes
  }
  // step: barrier of the cluster before dealloc [T5-SIM-018] -> ptx.bar.sync %c0
  ptx.barrier.cluster.arrive aligned ptx.barrier.cluster.wait aligned
  scf.if %is_mma_warp {
    tcgen05.dealloc cta_group_2 %all, %c32 : !all
  }
  ptx.ret
}
