// A warp-specialised matrix product for Blackwell tensor cores: C = A * B^T. Read
// gemm_single_tile.mlir and gemm_pipelined.mlir first; the comments here explain only what is new.
//
//   A: M x K bf16, B: N x K bf16, C: M x N bf16, all three row-major; sums are kept in f32.
//
// Different warps load and multiply, so neither task delays the other. The six warps of a CTA have
// three roles and synchronise through barrier objects in shared memory:
//
//   warps 0-3   epilogue: wait for the whole product, convert it to bf16, store it
//   warp 4      TMA: copies blocks of A and B into the ring as soon as a stage is free
//   warp 5      MMA: multiplies the blocks as they arrive; allocates and frees tensor memory
//
// What the host sets up:
//   - two tensor maps of bf16, two dimensions {K, rows}, SWIZZLE_128B, no interleave, elements out
//     of bounds filled with zero: of A with box {64, 128}, of B with box {64, 256}. K must be a
//     multiple of 8, because TMA requires rows of a multiple of 16 bytes;
//   - 196608 bytes of dynamic shared memory: 4 stages * (128 + 256) rows * 64 elements * 2 bytes;
//     a kernel gets more than 48 KB only if the host asks for it (cuFuncSetAttribute);
//   - a grid of (ceil(M / 128), ceil(N / 256)) CTAs of 192 threads.
//
// M and N are any positive numbers: TMA reads zeros beyond the edges of A and B, and the epilogue
// stores nothing beyond the edges of C.

// The box that each copy loads, as the host encodes it.
!a_map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
!b_map = !ptx.tensor_map<256x64xbf16, swizzle_128b>

!a_tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b_tile = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>

!accumulator = !tcgen05.tmem<128x256xf32>
!chunk       = !tcgen05.tmem<32x32xf32>
!column      = !tcgen05.tmem<32x1xf32>

#multiply = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>

// The ring: four tiles of A, 16384 bytes each, then four tiles of B.
ptx.shared_memory @tiles needs 196608 alignment 1024
// Two barriers of 8 bytes for each stage. A phase of the first ends when the tiles are loaded; a
// phase of the second ends when the MMAs have read them and the stage is free.
ptx.shared_memory @stages_loaded size 32 alignment 8
ptx.shared_memory @stages_free size 32 alignment 8
ptx.shared_memory @all_multiplied size 8 alignment 8
ptx.shared_memory @accumulator_slot size 4 alignment 4

ptx.kernel @gemm_warp_specialized(
    %a_map : !a_map, %b_map : !b_map, %c : i64,
    %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
    %k : i32 {ptx.at_least = 1, ptx.multiple_of = 8}
) attributes {reqntid = array<i32: 192, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %all_lanes = arith.constant -1 : i32
  %warp_size = arith.constant 32 : i32
  %last_lane = arith.constant 31 : i32
  %tma_warp = arith.constant 4 : i32
  %mma_warp = arith.constant 5 : i32
  %tile_m = arith.constant 128 : i32
  %tile_n = arith.constant 256 : i32
  %tile_k = arith.constant 64 : i32
  %a_tile_bytes = arith.constant 16384 : i32
  %b_tile_bytes = arith.constant 32768 : i32
  %stage_bytes = arith.constant 49152 : i32
  %barrier_bytes = arith.constant 8 : i32
  %stages = arith.constant 4 : i32

  %a_ring = ptx.address_of @tiles
  %b_ring = ptx.address_of @tiles + 65536
  %loaded = ptx.address_of @stages_loaded
  %free = ptx.address_of @stages_free
  %all_multiplied = ptx.address_of @all_multiplied
  %slot = ptx.address_of @accumulator_slot

  %thread = ptx.special_register tid.x
  %warp_of_thread = arith.divui %thread, %warp_size : i32
  %warp, %in_range = ptx.shfl.sync idx %warp_of_thread, %c0, %last_lane, %all_lanes
  %is_tma_warp = arith.cmpi eq, %warp, %tma_warp : i32
  %is_mma_warp = arith.cmpi eq, %warp, %mma_warp : i32

  %cta_x = ptx.special_register ctaid.x
  %cta_y = ptx.special_register ctaid.y
  %first_row = arith.muli %cta_x, %tile_m : i32
  %first_column = arith.muli %cta_y, %tile_n : i32
  %blocks = arith.ceildivui %k, %tile_k : i32

  scf.if %is_tma_warp {
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
      // Make the initialised barriers visible to TMA and the tensor core; one of the two suffices.
      ptx.fence.mbarrier_init
      ptx.fence.proxy.async "shared::cta"
      ptx.prefetch.tensormap [%a_map]
      ptx.prefetch.tensormap [%b_map]
    }
    ptx.bar.warp.sync %all_lanes
  }
  scf.if %is_mma_warp {
    tcgen05.alloc %slot, %tile_n
    tcgen05.relinquish_alloc_permit
  }
  // Make the barriers and the accumulator's address visible. After alloc, fences are a habit.
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %acc = tcgen05.load_address %slot : !accumulator

  scf.if %is_tma_warp {
    // One lane is enough to issue the TMA copies.
    %leader, %elected = ptx.elect.sync %all_lanes
    scf.if %elected {
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        // Block b uses stage b mod 4, in round b div 4.
        %stage = arith.remui %block, %stages : i32
        %round = arith.divui %block, %stages : i32
        %offset = arith.muli %stage, %barrier_bytes : i32
        %stage_loaded = arith.addi %loaded, %offset : i32
        %stage_free = arith.addi %free, %offset : i32

        // Wait until the MMAs of the previous round have read this stage. In the first round the
        // wait for parity 1 returns at once, because the phase before the first counts as complete.
        %round_before = arith.addi %round, %c1 : i32
        %parity_before = arith.andi %round_before, %c1 : i32
        ptx.mbarrier.wait [%stage_free], %parity_before

        // The phase ends when both boxes have arrived. Even at the edges, whole boxes arrive.
        ptx.mbarrier.arrive.expect_tx [%stage_loaded], %stage_bytes
        %a_offset = arith.muli %stage, %a_tile_bytes : i32
        %b_offset = arith.muli %stage, %b_tile_bytes : i32
        %a_tile = arith.addi %a_ring, %a_offset : i32
        %b_tile = arith.addi %b_ring, %b_offset : i32
        %block_k = arith.muli %block, %tile_k : i32
        ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%block_k, %first_row}, [%stage_loaded]
        ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%block_k, %first_column}, [%stage_loaded]
      }
    }
    ptx.bar.warp.sync %all_lanes
  } else {
    scf.if %is_mma_warp {
      // The whole warp executes the loop and the waits; one lane issues. It is always the same
      // lane, because a commit tracks only the MMAs of its own thread. A loop of the whole warp is
      // cheaper than one of a single lane: its values are computed once for all lanes.
      %leader, %elected = ptx.elect.sync %all_lanes
      %a_first = tcgen05.descriptor %a_ring : !a_tile
      %b_first = tcgen05.descriptor %b_ring : !b_tile
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        %stage = arith.remui %block, %stages : i32
        %round = arith.divui %block, %stages : i32
        %parity = arith.andi %round, %c1 : i32
        %offset = arith.muli %stage, %barrier_bytes : i32
        %stage_loaded = arith.addi %loaded, %offset : i32
        %stage_free = arith.addi %free, %offset : i32

        // Wait for the tiles: round r is phase r. After TMA alone, the fence is a habit, too.
        ptx.mbarrier.wait [%stage_loaded], %parity
        tcgen05.fence after_thread_sync

        scf.if %elected {
          %a_0 = tcgen05.tile %a_first[%stage] : !a_tile
          %b_0 = tcgen05.tile %b_first[%stage] : !b_tile
          %not_first_block = arith.cmpi ne, %block, %c0 : i32
          tcgen05.mma %acc, %a_0, %b_0 accumulate %not_first_block {idesc = #multiply}
              : !accumulator, !a_tile, !b_tile
          tcgen05.mma %acc, %a_0[k = 16], %b_0[k = 16] accumulate %true {idesc = #multiply}
              : !accumulator, !a_tile, !b_tile
          tcgen05.mma %acc, %a_0[k = 32], %b_0[k = 32] accumulate %true {idesc = #multiply}
              : !accumulator, !a_tile, !b_tile
          tcgen05.mma %acc, %a_0[k = 48], %b_0[k = 48] accumulate %true {idesc = #multiply}
              : !accumulator, !a_tile, !b_tile
          // When these MMAs are complete, the TMA warp may overwrite the stage.
          tcgen05.commit %stage_free
        }
        // Keep the lanes together. A lane that falls a round behind might wait forever: the parity
        // it waits for would then denote a later phase.
        ptx.bar.warp.sync %all_lanes
      }
      scf.if %elected {
        // When all MMAs are complete, the epilogue may read the sums.
        tcgen05.commit %all_multiplied
      }
      ptx.bar.warp.sync %all_lanes
    } else {
      // All 128 threads wait for the whole product; the fence orders their loads after the wait.
      ptx.mbarrier.wait [%all_multiplied], %c0
      tcgen05.fence after_thread_sync

      // Warp w reads lanes 32 w to 32 w + 31, and thread t reads lane t: it has row t of the tile.
      %first_lane = arith.muli %warp, %warp_size : i32
      %row = arith.addi %first_row, %thread : i32
      %row_is_inside = arith.cmpi slt, %row, %m : i32
      %log2_bytes = arith.constant 1 : i64
      %row_offset = ptx.mul.wide u32 %row, %n
      %column_offset = arith.extui %first_column : i32 to i64
      %c_offset = arith.addi %row_offset, %column_offset : i64
      %c_offset_bytes = arith.shli %c_offset, %log2_bytes : i64
      %c_global = ptx.cvta.to global %c
      %c_row = arith.addi %c_global, %c_offset_bytes : i64

      // If every row of C begins at a multiple of 16 bytes, a thread stores whole chunks of 32
      // columns with stores of 16 bytes. It stores all other columns inside C one by one.
      %columns_left = arith.subi %n, %first_column : i32
      %columns = arith.minsi %columns_left, %tile_n : i32
      %chunk_columns = arith.constant 32 : i32
      %odd_columns = arith.remui %columns, %chunk_columns : i32
      %whole_chunks = arith.subi %columns, %odd_columns : i32
      %c_low = arith.trunci %c : i64 to i32
      %c_row_bytes = arith.shli %n, %c1 : i32
      %low_bits = arith.ori %c_low, %c_row_bytes : i32
      %vector_bytes = arith.constant 16 : i32
      %misalignment = arith.remui %low_bits, %vector_bytes : i32
      %is_aligned = arith.cmpi eq, %misalignment, %c0 : i32
      %vector_columns = arith.select %is_aligned, %whole_chunks, %c0 : i32

      scf.for %column = %c0 to %vector_columns step %chunk_columns : i32 {
        %chunk = tcgen05.slice %acc[%first_lane, %column] : !accumulator to !chunk
        %v:32 = tcgen05.ld shape_32x32b x32 %chunk : !chunk
        tcgen05.wait ld
        // The second operand, the lower column, is the low half of the word.
        %w0 = ptx.cvt.pack rn bf16x2 f32 %v#1, %v#0
        %w1 = ptx.cvt.pack rn bf16x2 f32 %v#3, %v#2
        %w2 = ptx.cvt.pack rn bf16x2 f32 %v#5, %v#4
        %w3 = ptx.cvt.pack rn bf16x2 f32 %v#7, %v#6
        %w4 = ptx.cvt.pack rn bf16x2 f32 %v#9, %v#8
        %w5 = ptx.cvt.pack rn bf16x2 f32 %v#11, %v#10
        %w6 = ptx.cvt.pack rn bf16x2 f32 %v#13, %v#12
        %w7 = ptx.cvt.pack rn bf16x2 f32 %v#15, %v#14
        %w8 = ptx.cvt.pack rn bf16x2 f32 %v#17, %v#16
        %w9 = ptx.cvt.pack rn bf16x2 f32 %v#19, %v#18
        %w10 = ptx.cvt.pack rn bf16x2 f32 %v#21, %v#20
        %w11 = ptx.cvt.pack rn bf16x2 f32 %v#23, %v#22
        %w12 = ptx.cvt.pack rn bf16x2 f32 %v#25, %v#24
        %w13 = ptx.cvt.pack rn bf16x2 f32 %v#27, %v#26
        %w14 = ptx.cvt.pack rn bf16x2 f32 %v#29, %v#28
        %w15 = ptx.cvt.pack rn bf16x2 f32 %v#31, %v#30
        %wide_column = arith.extui %column : i32 to i64
        %column_bytes = arith.shli %wide_column, %log2_bytes : i64
        %at = arith.addi %c_row, %column_bytes : i64
        ptx.guard %row_is_inside {
          ptx.st global b32 [%at], {%w0, %w1, %w2, %w3}
          ptx.st global b32 [%at + 16], {%w4, %w5, %w6, %w7}
          ptx.st global b32 [%at + 32], {%w8, %w9, %w10, %w11}
          ptx.st global b32 [%at + 48], {%w12, %w13, %w14, %w15}
        }
        ptx.bar.warp.sync %all_lanes
      }
      scf.for %column = %vector_columns to %columns step %c1 : i32 {
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
  }

  // The allocating warp frees the columns after all reads. After wait ld, fences are a habit.
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  scf.if %is_mma_warp {
    tcgen05.fence after_thread_sync
    tcgen05.dealloc %acc, %tile_n : !accumulator
  }
  ptx.ret
}
