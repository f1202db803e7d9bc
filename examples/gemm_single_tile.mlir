// A simple matrix product for Blackwell tensor cores: C = A * B^T. Each CTA computes one tile of C,
// and no two steps overlap.
//
//   A: M x K bf16, B: N x K bf16, C: M x N bf16, all three row-major; sums are kept in f32.
//
// Two things differ from earlier tensor cores. The sums are in a separate memory, tensor memory: a
// kernel allocates it, MMAs write it and loads read it. And a single thread issues an MMA for the
// whole CTA. MMAs and TMA copies are asynchronous: the thread continues at once, and a barrier
// object (mbarrier) in shared memory tells it when they are complete.
//
// What the host sets up:
//   - two tensor maps of bf16, two dimensions {K, rows}, box {64, 128}, SWIZZLE_128B, no
//     interleave, elements out of bounds filled with zero: one of A, one of B. TMA requires
//     rows of a multiple of 16 bytes, so K must be a multiple of 8;
//   - a grid of (ceil(M / 128), ceil(N / 128)) CTAs of 128 threads, no dynamic shared memory.
//
// M and N are any positive numbers: TMA reads zeros beyond the edges of A and B, and the epilogue
// stores nothing beyond the edges of C.

// The box that each copy loads, of A and of B, as the host encodes it: the innermost
// dimension is the last one.
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>

// Descriptors of tiles in shared memory. TMA writes these tiles with SWIZZLE_128B, in rows of 64
// elements (128 bytes) along K. A descriptor gives the tensor core the address and the layout of a
// tile. One MMA reads 16 elements along K, so a tile feeds four MMAs; each begins at another `k`.
!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>

// Tensor memory has 128 lanes and 512 columns of 32 bits. The accumulator takes one lane for each
// row of the tile and one column for each column.
!accumulator = !tcgen05.tmem<128x128xf32>
!chunk       = !tcgen05.tmem<32x8xf32>
!column      = !tcgen05.tmem<32x1xf32>

#multiply = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>

// One tile of each matrix: 128 rows * 64 elements * 2 bytes. The swizzle repeats every 1024 bytes.
ptx.shared_memory @a_tile size 16384 alignment 1024
ptx.shared_memory @b_tile size 16384 alignment 1024
ptx.shared_memory @tiles_loaded size 8 alignment 8
ptx.shared_memory @tiles_multiplied size 8 alignment 8
// The allocation of tensor memory writes its address here.
ptx.shared_memory @accumulator_slot size 4 alignment 4

ptx.kernel @gemm_single_tile(
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
  %bytes_of_tiles = arith.constant 32768 : i32

  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @tiles_loaded
  %multiplied = ptx.address_of @tiles_multiplied
  %slot = ptx.address_of @accumulator_slot

  // The number of this warp. The shuffle gives all lanes the same value, so the assembler knows
  // that a branch on it does not split the warp.
  %thread = ptx.special_register tid.x
  %warp_of_thread = arith.divui %thread, %warp_size : i32
  %warp, %in_range = ptx.shfl.sync idx %warp_of_thread, %c0, %last_lane, %all_lanes
  %is_first_warp = arith.cmpi eq, %warp, %c0 : i32

  // The corner of this CTA's tile in C, and the number of blocks along K.
  %cta_x = ptx.special_register ctaid.x
  %cta_y = ptx.special_register ctaid.y
  %first_row = arith.muli %cta_x, %tile_m : i32
  %first_column = arith.muli %cta_y, %tile_n : i32
  %blocks = arith.ceildivui %k, %tile_k : i32

  scf.if %is_first_warp {
    // A whole warp allocates columns of tensor memory, and the same warp must free them. It waits
    // while other CTAs of this SM hold too many columns. Relinquishing the permit lets them
    // allocate.
    tcgen05.alloc %slot, %tile_n
    tcgen05.relinquish_alloc_permit

    // Any one lane initialises both barriers. A barrier has successive phases; the count of 1 given
    // here ends each phase after one arrival.
    %leader, %elected = ptx.elect.sync %all_lanes
    scf.if %elected {
      ptx.mbarrier.init [%loaded], %c1
      ptx.mbarrier.init [%multiplied], %c1
      // TMA and the tensor core access shared memory through the async proxy. The fences make the
      // initialised barriers visible to that proxy and to all threads.
      ptx.fence.mbarrier_init
      ptx.fence.proxy.async "shared::cta"
    }
    // Reconverge the lanes: whole warps execute the next instructions.
    ptx.bar.warp.sync %all_lanes
  }
  // This synchronisation makes the barriers and the address in the slot visible to all threads.
  // bar.sync alone orders ordinary memory; the two fences also order operations on tensor memory.
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %acc = tcgen05.load_address %slot : !accumulator

  scf.if %is_first_warp {
    %leader, %elected = ptx.elect.sync %all_lanes
    scf.if %elected {
      %a_0 = tcgen05.descriptor %a_tile : !tile
      %b_0 = tcgen05.descriptor %b_tile : !tile

      scf.for %block = %c0 to %blocks step %c1 : i32 {
        // Each block is one phase of both barriers. A wait names the parity of the phase that must
        // end: 0 for the first phase, then 1, 0, 1, ...
        %parity = arith.andi %block, %c1 : i32

        // Load. This thread makes the one arrival. The phase ends when the announced bytes have
        // also arrived: always two whole boxes, because TMA pads with zeros at the edges.
        ptx.mbarrier.arrive.expect_tx [%loaded], %bytes_of_tiles
        %block_k = arith.muli %block, %tile_k : i32
        ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%block_k, %first_row}, [%loaded]
        ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%block_k, %first_column}, [%loaded]

        // Wait for the tiles.
        ptx.mbarrier.wait [%loaded], %parity
        tcgen05.fence after_thread_sync

        // Multiply. The very first MMA overwrites the accumulator; all others add to it. MMAs on
        // the same accumulator execute in order, so they need no synchronisation.
        %not_first_block = arith.cmpi ne, %block, %c0 : i32
        tcgen05.mma %acc, %a_0, %b_0 accumulate %not_first_block {idesc = #multiply}
            : !accumulator, !tile, !tile
        tcgen05.mma %acc, %a_0[k = 16], %b_0[k = 16] accumulate %true {idesc = #multiply}
            : !accumulator, !tile, !tile
        tcgen05.mma %acc, %a_0[k = 32], %b_0[k = 32] accumulate %true {idesc = #multiply}
            : !accumulator, !tile, !tile
        tcgen05.mma %acc, %a_0[k = 48], %b_0[k = 48] accumulate %true {idesc = #multiply}
            : !accumulator, !tile, !tile

        // Commit: the barrier receives one arrival when all MMAs that this thread has issued are
        // complete. Wait for it before the next load overwrites the tiles.
        tcgen05.commit %multiplied
        ptx.mbarrier.wait [%multiplied], %parity
      }
      // Order the later tcgen05 operations of this thread, and the synchronisation with other
      // threads, after the MMAs for which it has waited.
      tcgen05.fence after_thread_sync
    }
    ptx.bar.warp.sync %all_lanes
  }
  // Hand the sums to all threads: one thread has waited for the MMAs, and all wait for that thread.
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
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
