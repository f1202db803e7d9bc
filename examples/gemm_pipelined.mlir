// A pipelined matrix product for Blackwell tensor cores: C = A * B^T. Read gemm_single_tile.mlir
// first; the comments here explain only what is new.
//
//   A: M x K bf16, B: N x K bf16, C: M x N bf16, all three row-major; sums are kept in f32.
//
// One thread still issues all copies and MMAs, but it no longer waits after each step. Shared
// memory holds a ring of four stages, each with a tile of A and one of B. The thread loads three
// blocks ahead of the block it multiplies, so the next tiles arrive while the tensor core works.
//
// What the host sets up:
//   - two tensor maps of bf16, two dimensions {K, rows}, box {64, 128}, SWIZZLE_128B, no
//     interleave, elements out of bounds filled with zero: one of A, one of B. K must be a
//     multiple of 8, because TMA requires rows of a multiple of 16 bytes;
//   - 131072 bytes of dynamic shared memory: 4 stages * (128 + 128) rows * 64 elements * 2 bytes;
//     a kernel gets more than 48 KB only if the host asks for it (cuFuncSetAttribute);
//   - a grid of (ceil(M / 128), ceil(N / 128)) CTAs of 128 threads.
//
// M and N are any positive numbers.

// The box that each copy loads, as the host encodes it.
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>

!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>

!accumulator = !tcgen05.tmem<128x128xf32>
!chunk       = !tcgen05.tmem<32x8xf32>
!column      = !tcgen05.tmem<32x1xf32>

#multiply = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>

// The ring: four tiles of A, 16384 bytes each, then four tiles of B.
ptx.shared_memory @tiles needs 131072 alignment 1024
// Two barriers of 8 bytes for each stage. A phase of the first ends when the tiles are loaded; a
// phase of the second ends when the MMAs have read them and the stage is free.
ptx.shared_memory @stages_loaded size 32 alignment 8
ptx.shared_memory @stages_free size 32 alignment 8
ptx.shared_memory @all_multiplied size 8 alignment 8
ptx.shared_memory @accumulator_slot size 4 alignment 4

ptx.kernel @gemm_pipelined(
    %a_map : !map, %b_map : !map, %c : i64,
    %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
    %k : i32 {ptx.at_least = 1, ptx.multiple_of = 8}
) attributes {reqntid = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %all_lanes = arith.constant -1 : i32
  %warp_size = arith.constant 32 : i32
  %last_lane = arith.constant 31 : i32
  %tile_m = arith.constant 128 : i32
  %tile_n = arith.constant 128 : i32
  %tile_k = arith.constant 64 : i32
  %tile_bytes = arith.constant 16384 : i32
  %stage_bytes = arith.constant 32768 : i32
  %barrier_bytes = arith.constant 8 : i32
  %stages = arith.constant 4 : i32
  %blocks_ahead = arith.constant 3 : i32

  %a_ring = ptx.address_of @tiles
  %b_ring = ptx.address_of @tiles + 65536
  %loaded = ptx.address_of @stages_loaded
  %free = ptx.address_of @stages_free
  %all_multiplied = ptx.address_of @all_multiplied
  %slot = ptx.address_of @accumulator_slot

  %thread = ptx.special_register tid.x
  %warp_of_thread = arith.divui %thread, %warp_size : i32
  %warp, %in_range = ptx.shfl.sync idx %warp_of_thread, %c0, %last_lane, %all_lanes
  %is_first_warp = arith.cmpi eq, %warp, %c0 : i32

  %cta_x = ptx.special_register ctaid.x
  %cta_y = ptx.special_register ctaid.y
  %first_row = arith.muli %cta_x, %tile_m : i32
  %first_column = arith.muli %cta_y, %tile_n : i32
  %blocks = arith.ceildivui %k, %tile_k : i32

  scf.if %is_first_warp {
    tcgen05.alloc %slot, %tile_n
    tcgen05.relinquish_alloc_permit
    %leader, %elected = ptx.elect.sync %all_lanes
    scf.if %elected {
      scf.for %stage = %c0 to %stages step %c1 : i32 {
        %offset = arith.muli %stage, %barrier_bytes : i32
        %stage_loaded = arith.addi %loaded, %offset : i32
        %stage_free = arith.addi %free, %offset : i32
        ptx.mbarrier.init [%stage_loaded], %c1
        ptx.mbarrier.init [%stage_free], %c1
      }
      ptx.mbarrier.init [%all_multiplied], %c1
      // Make the initialised barriers visible to TMA, the tensor core and all threads.
      ptx.fence.mbarrier_init
      ptx.fence.proxy.async "shared::cta"
    }
    ptx.bar.warp.sync %all_lanes
  }
  // Make the barriers and the address of the accumulator visible to all threads.
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %acc = tcgen05.load_address %slot : !accumulator

  scf.if %is_first_warp {
    %leader, %elected = ptx.elect.sync %all_lanes
    scf.if %elected {
      %a_first = tcgen05.descriptor %a_ring : !tile
      %b_first = tcgen05.descriptor %b_ring : !tile

      // Step s multiplies block s - 3 and loads block s. The first three steps only load, and
      // the last three only multiply. Block b uses stage b mod 4, in round b div 4.
      %steps = arith.addi %blocks, %blocks_ahead : i32
      scf.for %step = %c0 to %steps step %c1 : i32 {
        %block = arith.subi %step, %blocks_ahead : i32
        %multiplies = arith.cmpi sge, %block, %c0 : i32
        scf.if %multiplies {
          %stage = arith.remui %block, %stages : i32
          %round = arith.divui %block, %stages : i32
          %parity = arith.andi %round, %c1 : i32
          %offset = arith.muli %stage, %barrier_bytes : i32
          %stage_loaded = arith.addi %loaded, %offset : i32
          %stage_free = arith.addi %free, %offset : i32

          // Each round is one phase of the stage's barriers, so its parity is that of the round.
          ptx.mbarrier.wait [%stage_loaded], %parity
          tcgen05.fence after_thread_sync

          %a_0 = tcgen05.tile %a_first[%stage] : !tile
          %b_0 = tcgen05.tile %b_first[%stage] : !tile
          %not_first_block = arith.cmpi ne, %block, %c0 : i32
          tcgen05.mma %acc, %a_0, %b_0 accumulate %not_first_block {idesc = #multiply}
              : !accumulator, !tile, !tile
          tcgen05.mma %acc, %a_0[k = 16], %b_0[k = 16] accumulate %true {idesc = #multiply}
              : !accumulator, !tile, !tile
          tcgen05.mma %acc, %a_0[k = 32], %b_0[k = 32] accumulate %true {idesc = #multiply}
              : !accumulator, !tile, !tile
          tcgen05.mma %acc, %a_0[k = 48], %b_0[k = 48] accumulate %true {idesc = #multiply}
              : !accumulator, !tile, !tile

          // Do not wait here: the load that reuses the stage waits for this commit.
          tcgen05.commit %stage_free
        }

        %loads = arith.cmpi slt, %step, %blocks : i32
        scf.if %loads {
          %stage = arith.remui %step, %stages : i32
          %round = arith.divui %step, %stages : i32
          %offset = arith.muli %stage, %barrier_bytes : i32
          %stage_loaded = arith.addi %loaded, %offset : i32
          %stage_free = arith.addi %free, %offset : i32

          // Wait until the MMAs of the previous round have read this stage. They were issued one
          // step ago; the MMAs of this step keep the tensor core busy during the wait. In the
          // first round the stage is free. The wait for parity 1 then returns at once, because the
          // phase before the first counts as complete.
          %round_before = arith.addi %round, %c1 : i32
          %parity_before = arith.andi %round_before, %c1 : i32
          ptx.mbarrier.wait [%stage_free], %parity_before

          ptx.mbarrier.arrive.expect_tx [%stage_loaded], %stage_bytes
          %tile_offset = arith.muli %stage, %tile_bytes : i32
          %a_tile = arith.addi %a_ring, %tile_offset : i32
          %b_tile = arith.addi %b_ring, %tile_offset : i32
          %block_k = arith.muli %step, %tile_k : i32
          ptx.cp.async.bulk.tensor.load
              [%a_tile], %a_map, {%block_k, %first_row}, [%stage_loaded]
          ptx.cp.async.bulk.tensor.load
              [%b_tile], %b_map, {%block_k, %first_column}, [%stage_loaded]
        }
      }
      // A commit tracks all MMAs that this thread has issued, here those of the whole product.
      tcgen05.commit %all_multiplied
    }
    ptx.bar.warp.sync %all_lanes
  }
  // All four warps wait for the whole product. No bar.sync is needed: the barrier object orders the
  // MMAs before the loads of every thread that waits. It has only one phase, so no thread misses
  // it.
  ptx.mbarrier.wait [%all_multiplied], %c0
  tcgen05.fence after_thread_sync

  // Warp w can read only lanes 32 w to 32 w + 31 of tensor memory. With shape 32x32b, thread t of
  // the CTA reads lane t, which holds row t of the tile.
  %first_lane = arith.muli %warp, %warp_size : i32
  %row = arith.addi %first_row, %thread : i32
  %row_is_inside = arith.cmpi slt, %row, %m : i32
  %log2_bytes = arith.constant 1 : i64
  %row_offset = ptx.mul.wide u32 %row, %n
  %column_offset = arith.extui %first_column : i32 to i64
  %offset = arith.addi %row_offset, %column_offset : i64
  %offset_bytes = arith.shli %offset, %log2_bytes : i64
  %c_global = ptx.cvta.to global %c
  %c_row = arith.addi %c_global, %offset_bytes : i64

  // The number of columns of the tile inside C. If every row of C begins at a multiple of 16 bytes
  // (so N is a multiple of eight), a thread stores eight columns at a time, otherwise one.
  %columns_left = arith.subi %n, %first_column : i32
  %columns = arith.minsi %columns_left, %tile_n : i32
  %c_low = arith.trunci %c : i64 to i32
  %c_row_bytes = arith.shli %n, %c1 : i32
  %low_bits = arith.ori %c_low, %c_row_bytes : i32
  %vector_bytes = arith.constant 16 : i32
  %misalignment = arith.remui %low_bits, %vector_bytes : i32
  %is_aligned = arith.cmpi eq, %misalignment, %c0 : i32

  // Whole warps must execute loads from tensor memory, so the branch and the loop bounds are the
  // same for all threads. Only the stores depend on the row of a thread. They are guarded
  // instructions, which do not split the warp.
  scf.if %is_aligned {
    %chunk_columns = arith.constant 8 : i32
    scf.for %column = %c0 to %columns step %chunk_columns : i32 {
      %chunk = tcgen05.slice %acc[%first_lane, %column] : !accumulator to !chunk
      %v:8 = tcgen05.ld shape_32x32b x8 %chunk : !chunk
      // The load is asynchronous too: this wait orders it before dealloc.
      tcgen05.wait ld
      // Pack two elements in a word. The second operand, the lower column, is the low half.
      %w0 = ptx.cvt.pack rn bf16x2 f32 %v#1, %v#0
      %w1 = ptx.cvt.pack rn bf16x2 f32 %v#3, %v#2
      %w2 = ptx.cvt.pack rn bf16x2 f32 %v#5, %v#4
      %w3 = ptx.cvt.pack rn bf16x2 f32 %v#7, %v#6
      %wide_column = arith.extui %column : i32 to i64
      %column_bytes = arith.shli %wide_column, %log2_bytes : i64
      %at = arith.addi %c_row, %column_bytes : i64
      ptx.guard %row_is_inside {
        ptx.st global b32 [%at], {%w0, %w1, %w2, %w3}
      }
    }
  } else {
    scf.for %column = %c0 to %columns step %c1 : i32 {
      %one_column = tcgen05.slice %acc[%first_lane, %column] : !accumulator to !column
      %sum = tcgen05.ld shape_32x32b x1 %one_column : !column
      tcgen05.wait ld
      %element = arith.truncf %sum : f32 to bf16
      %wide_column = arith.extui %column : i32 to i64
      %column_bytes = arith.shli %wide_column, %log2_bytes : i64
      %at = arith.addi %c_row, %column_bytes : i64
      ptx.guard %row_is_inside {
        ptx.st global b16 [%at], {%element}
      }
    }
  }

  // The allocating warp frees the columns after all four warps have waited for their loads.
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  scf.if %is_first_warp {
    tcgen05.fence after_thread_sync
    tcgen05.dealloc %acc, %tile_n : !accumulator
  }
  ptx.ret
}
