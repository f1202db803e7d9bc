// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @whole_tile(%address : i32) {
  // CHECK: error[T5-DESC-016]: tcgen05.descriptor: origin of the tile must be k = 0 (use tcgen05.advance to move it); found k = 16
  %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 16>
  ptx.ret
}

// -----

ptx.kernel @start() {
  %c8 = arith.constant 8 : i32
  // CHECK: error[T5-DESC-002]: tcgen05.descriptor: matrix start address must be 0, 16, ... 262128; found 8
  %a = tcgen05.descriptor %c8 : !tcgen05.smem_descriptor<128x64xbf16, k_major, no_swizzle>
  ptx.ret
}

// -----

ptx.kernel @base_offset() {
  %c128 = arith.constant 128 : i32
  // CHECK: error[T5-DESC-005]: tcgen05.descriptor: address of the tile must be a multiple of 1024, the period of swizzle_128b; found 128
  %a = tcgen05.descriptor %c128 : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.kernel @leading(%address : i32) {
  // CHECK: error[T5-DESC-003]: tcgen05.descriptor: leading dimension byte offset must be 0, 16, ... 262128; found 524288
  %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<32768x16xbf16, k_major, no_swizzle, mn_first>
  ptx.ret
}

// -----

ptx.kernel @stride(%address : i32) {
  // CHECK: error[T5-DESC-004]: tcgen05.descriptor: stride dimension byte offset must be 0, 16, ... 262128; found 524288
  %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<16x32768xbf16, k_major, no_swizzle>
  ptx.ret
}

// -----

ptx.shared_memory @tiles size 16384 alignment 128
ptx.kernel @variable() {
  %tiles = ptx.address_of @tiles
  // CHECK: error[T5-DESC-014]: tcgen05.descriptor: address of the tile must be aligned to 1024 bytes; found 0 bytes into a variable aligned to 128
  %a = tcgen05.descriptor %tiles : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.shared_memory @tiles size 16384 alignment 1024
ptx.kernel @offset() {
  %tiles = ptx.address_of @tiles + 512
  // CHECK: error[T5-DESC-014]: tcgen05.descriptor: address of the tile must be aligned to 1024 bytes; found 512 bytes into a variable aligned to 1024
  // CHECK: error[T5-DESC-015]: tcgen05.descriptor: bytes of the tile in its variable must be within 0 to 16383; found 512 to 16895
  %a = tcgen05.descriptor %tiles : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.kernel @tile(%address : i32) {
  // CHECK: error[T5-DESC-007]: tcgen05.descriptor: mn of the tile must be a multiple of 8, the extent of the swizzle atom; found 100
  %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<100x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.kernel @combination(%address : i32) {
  // CHECK: error[T5-SWIZZLE-002]: tcgen05.descriptor: a tile of 32-bit elements with mn_major needs swizzle_128b_atom_32b; found swizzle_128b
  %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xtf32, mn_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.kernel @atom(%address : i32) {
  // CHECK: error[T5-SWIZZLE-003]: tcgen05.descriptor: swizzle_128b_atom_32b needs mn_major; found k_major
  %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xtf32, k_major, swizzle_128b_atom_32b>
  ptx.ret
}

// -----

ptx.kernel @tile_type(%address : i32, %i : i32) {
  %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  // CHECK: error[T5-DESC-016]: tcgen05.tile: type of the result must be !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>; found !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
  %b = "tcgen05.tile"(%a, %i) : (!tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>, i32) -> !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

// Four rows of 128 bytes are half of the pattern, so that the second tile would begin inside it.
ptx.kernel @tile_inside_a_pattern(%address : i32, %i : i32) {
  %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<32x4xtf32, mn_major, swizzle_128b_atom_32b>
  // CHECK: error[T5-DESC-005]: tcgen05.tile: size of a tile must be a multiple of 1024, the period of swizzle_128b_atom_32b; found 512
  %b = tcgen05.tile %a[%i] : !tcgen05.smem_descriptor<32x4xtf32, mn_major, swizzle_128b_atom_32b>
  ptx.ret
}

// -----

ptx.kernel @advance_type(%address : i32) {
  %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  // CHECK: error[T5-DESC-016]: tcgen05.advance: type of the result must be !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 16>; found !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  %b = "tcgen05.advance"(%a) <{k = 16 : i32}> : (!tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>) -> !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.kernel @advance_outside(%address : i32) {
  %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  // CHECK: error[T5-DESC-008]: tcgen05.advance: k of the origin must be 0, 8, 16, 24, 32, 40, 48 or 56; found 64
  %b = tcgen05.advance %a, k = 64 : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.kernel @advance_inside_a_chunk(%address : i32) {
  %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  // CHECK: error[T5-DESC-008]: tcgen05.advance: k of the origin must be 0, 8, 16, 24, 32, 40, 48 or 56; found 4
  %b = tcgen05.advance %a, k = 4 : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.kernel @advance_of_no_descriptor(%address : i32) {
  // CHECK: expected a shared memory descriptor; found i32
  %b = tcgen05.advance %address, k = 4 : i32
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @tile_behind_memory(%address : i32) {
  %a = tcgen05.descriptor %address : !tile
  %c = arith.constant 16 : i32
  // CHECK: error[T5-DESC-002]: tcgen05.tile: distance of the tile from tile 0 in bytes must be 0, 16, ... 262128; found 262144 (tile 16)
  %b = tcgen05.tile %a[%c] : !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @tile_before_memory(%address : i32) {
  %a = tcgen05.descriptor %address : !tile
  %c = arith.constant -1 : i32
  // CHECK: error[T5-DESC-002]: tcgen05.tile: distance of the tile from tile 0 in bytes must be 0, 16, ... 262128; found -16384 (tile -1)
  %b = tcgen05.tile %a[%c] : !tile
  ptx.ret
}

// -----

ptx.kernel @packed_6_bits(%t : i32) {
  // CHECK: error[T5-DESC-009]: tcgen05.descriptor: 6-bit elements must be padded; found packed
  // CHECK: error[T5-DESC-007]: tcgen05.descriptor: k of the tile must be a multiple of 21, the extent of the swizzle atom; found 32
  %a = tcgen05.descriptor %t : !tcgen05.smem_descriptor<128x32xf6E2M3FN, k_major, no_swizzle, packed>
  ptx.ret
}

// -----

ptx.shared_memory @short size 8192 alignment 1024
ptx.kernel @outside_of_the_variable() {
  %address = ptx.address_of @short
  // CHECK: error[T5-DESC-015]: tcgen05.descriptor: bytes of the tile in its variable must be within 0 to 8191; found 0 to 16383
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @stride_inside_a_pattern(%address : i32, %i : i32) {
  %a = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-DESC-005]: tcgen05.tile: stride of tiles must be a multiple of 1024, the period of swizzle_128b; found 16896
  %b = tcgen05.tile %a[%i], stride = 16896 : !tile
  ptx.ret
}
