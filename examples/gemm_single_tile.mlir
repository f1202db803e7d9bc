// The simplest matrix product for Blackwell tensor cores: C = A * B^T, one tile for each CTA and
// one step after the other.
//
//   A: M x K bf16, B: N x K bf16, C: M x N bf16, all three row-major; sums are kept in f32.
//
// What differs from the tensor cores before: the sums lie in a memory of their own (tensor memory),
// which is allocated, written by MMAs, and read by loads; and one single thread starts an MMA for
// the whole CTA. MMAs, like the copies by TMA, are asynchronous: the thread goes on at once, and
// learns of their end through a barrier object (mbarrier) in shared memory.
//
// What the host sets up:
//   - two tensor maps of bf16, two dimensions {K, rows}, box {64, 128}, SWIZZLE_128B, no
//     interleave, elements out of bounds filled with zero: one of A, one of B. TMA wants rows of a
//     multiple of 16 bytes, so K is a multiple of 8;
//   - a grid of (ceil(M / 128), ceil(N / 128)) CTAs of 128 threads, no dynamic shared memory.
//
// M and N are any positive numbers: TMA reads zeros beyond the edges of A and B, and nothing is
// stored beyond those of C.

// Tiles in shared memory as TMA writes them with SWIZZLE_128B: rows of 64 elements, 128 bytes, that
// lie along K. A descriptor of such a type tells the tensor core where a tile is and how it is laid
// out. One MMA takes 16 elements of K, so a tile serves four; `k` says where the next one begins.
!tile    = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!tile_16 = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 16>
!tile_32 = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 32>
!tile_48 = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 48>

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
// Where the allocation of tensor memory leaves its address.
ptx.shared_memory @accumulator_slot size 4 alignment 4

ptx.kernel @gemm_single_tile(
    %a_map : !ptx.tensor_map, %b_map : !ptx.tensor_map, %c : i64, %m : i32, %n : i32, %k : i32
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

  // The number of this warp, which the shuffle makes one value for all its lanes: the assembler
  // then knows that a branch on it does not split the warp.
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
    // if other CTAs of this SM hold too many. Giving up the right to allocate lets others have it.
    tcgen05.alloc %slot, %tile_n
    tcgen05.relinquish_alloc_permit

    // One lane, it does not matter which, makes both barriers. A barrier goes through phases; each
    // of these ends after the one arrival that is given here.
    %leader, %elected = ptx.elect.sync %all_lanes
    scf.if %elected {
      ptx.mbarrier.init [%loaded], %c1
      ptx.mbarrier.init [%multiplied], %c1
      // TMA and tensor core reach shared memory on a path of their own, the async proxy. The fences
      // let them, and all threads, find the barriers as they were just made.
      ptx.fence.mbarrier_init
      ptx.fence.proxy.async "shared::cta"
    }
    // The lanes come together again: what follows is for whole warps.
    ptx.bar.warp.sync %all_lanes
  }
  // Now all threads know of the barriers and of the address in the slot. bar.sync alone orders
  // ordinary memory; the two fences around it do so for operations on tensor memory.
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %acc = tcgen05.load_address %slot : !accumulator

  scf.if %is_first_warp {
    %leader, %elected = ptx.elect.sync %all_lanes
    scf.if %elected {
      %a_0 = tcgen05.descriptor %a_tile : !tile
      %b_0 = tcgen05.descriptor %b_tile : !tile
      %a_16 = tcgen05.advance %a_0, k = 16 : !tile
      %b_16 = tcgen05.advance %b_0, k = 16 : !tile
      %a_32 = tcgen05.advance %a_0, k = 32 : !tile
      %b_32 = tcgen05.advance %b_0, k = 32 : !tile
      %a_48 = tcgen05.advance %a_0, k = 48 : !tile
      %b_48 = tcgen05.advance %b_0, k = 48 : !tile

      scf.for %block = %c0 to %blocks step %c1 : i32 {
        // Both barriers go through one phase for each block. To wait means to name the parity of
        // the phase that has to end: 0 for the first, then 1, 0, 1, ...
        %parity = arith.andi %block, %c1 : i32

        // Load. This thread is the one arrival, but the phase does not end before the bytes that it
        // announces have come as well. It is always two whole boxes, with the zeros at the edges.
        ptx.mbarrier.arrive.expect_tx [%loaded], %bytes_of_tiles
        %block_k = arith.muli %block, %tile_k : i32
        ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%block_k, %first_row}, [%loaded]
        ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%block_k, %first_column}, [%loaded]

        // Wait for the tiles.
        ptx.mbarrier.wait [%loaded], %parity
        tcgen05.fence after_thread_sync

        // Multiply. The very first MMA overwrites the accumulator, all others add to it. MMAs on
        // the same accumulator execute in order, so nothing has to stand between them.
        %not_first_block = arith.cmpi ne, %block, %c0 : i32
        tcgen05.mma %acc, %a_0, %b_0 accumulate %not_first_block {idesc = #multiply}
            : !accumulator, !tile, !tile
        tcgen05.mma %acc, %a_16, %b_16 accumulate %true {idesc = #multiply}
            : !accumulator, !tile_16, !tile_16
        tcgen05.mma %acc, %a_32, %b_32 accumulate %true {idesc = #multiply}
            : !accumulator, !tile_32, !tile_32
        tcgen05.mma %acc, %a_48, %b_48 accumulate %true {idesc = #multiply}
            : !accumulator, !tile_48, !tile_48

        // Commit: when all MMAs of this thread so far are complete, one arrival happens at the
        // barrier. Wait for that before the next load overwrites the tiles.
        tcgen05.commit %multiplied
        ptx.mbarrier.wait [%multiplied], %parity
      }
      // What this thread does from here on with tensor memory, or tells others, comes after the
      // MMAs it has waited for.
      tcgen05.fence after_thread_sync
    }
    ptx.bar.warp.sync %all_lanes
  }
  // Hand the sums over: this thread has seen the MMAs complete, and bar.sync passes that on.
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync

  // A warp can read 32 lanes of tensor memory only: warp w those from 32 w on. With shape 32x32b
  // thread t of the CTA reads lane t, and so has row t of the tile.
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

  // How many columns of the tile lie inside of C. If every row of C begins at a multiple of 16
  // bytes (so N is a multiple of eight), they are stored eight at a time, else one by one.
  %columns_left = arith.subi %n, %first_column : i32
  %columns = arith.minsi %columns_left, %tile_n : i32
  %c_low = arith.trunci %c : i64 to i32
  %c_row_bytes = arith.shli %n, %c1 : i32
  %low_bits = arith.ori %c_low, %c_row_bytes : i32
  %vector_bytes = arith.constant 16 : i32
  %misalignment = arith.remui %low_bits, %vector_bytes : i32
  %is_aligned = arith.cmpi eq, %misalignment, %c0 : i32

  // All threads agree on the branch and on the ends of the loops, as loads from tensor memory want
  // it: these are for whole warps. Rows differ, so only the stores depend on the row, as guarded
  // instructions, which do not split the warp.
  scf.if %is_aligned {
    %chunk_columns = arith.constant 8 : i32
    scf.for %column = %c0 to %columns step %chunk_columns : i32 {
      %chunk = tcgen05.slice %acc[%first_lane, %column] : !accumulator to !chunk
      %v:8 = tcgen05.ld shape_32x32b x8 %chunk : !chunk
      // The load is asynchronous too: this fills the registers.
      tcgen05.wait ld
      // Two elements to a word; the second operand, the lower column, becomes the low half.
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

  // The warp that allocated frees, once all four have read. Each has waited for its loads above.
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  scf.if %is_first_warp {
    tcgen05.fence after_thread_sync
    tcgen05.dealloc %acc, %tile_n : !accumulator
  }
  ptx.ret
}
