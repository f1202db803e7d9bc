// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @num(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<16x256xf32>
  // CHECK: error[T5-LDST-001]: tcgen05.ld: shape_16x256b needs num x1, x2, x4, x8, x16 or x32; found x64
  %v = "tcgen05.ld"(%s) <{shape = "shape_16x256b", num = "x64"}> : (!tcgen05.tmem<16x256xf32>) -> f32
  ptx.ret
}

// -----

ptx.kernel @shape(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  // CHECK: error[T5-LDST-001]: tcgen05.ld: a vector of length 1 needs shape_16x32bx2, shape_16x64b or shape_32x32b; found shape_8x8b
  %v = "tcgen05.ld"(%d) <{shape = "shape_8x8b", num = "x1"}> : (!tcgen05.tmem<128x256xf32>) -> f32
  ptx.ret
}

// -----

ptx.kernel @shape_in_text(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  // CHECK: expected shape_16x32bx2, shape_16x64b, shape_16x128b, shape_16x256b or shape_32x32b; found shape_8x8b
  %v = tcgen05.ld shape_8x8b x1 %d : !tcgen05.tmem<128x256xf32>
  ptx.ret
}

// -----

ptx.kernel @registers(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  // CHECK: error[T5-LDST-002]: tcgen05.ld: shape_32x32b with num x2 needs a vector of length 2; found 1
  %v = "tcgen05.ld"(%s) <{shape = "shape_32x32b", num = "x2"}> : (!tcgen05.tmem<32x2xf32>) -> f32
  ptx.ret
}

// -----

ptx.kernel @stored_registers(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  %z = arith.constant 0.0 : f32
  // CHECK: error[T5-LDST-002]: tcgen05.st: shape_32x32b with num x2 needs a vector of length 2; found 3
  tcgen05.st shape_32x32b x2 %s, (%z, %z, %z) : !tcgen05.tmem<32x2xf32>
  ptx.ret
}

// -----

ptx.kernel @no_split(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<16x18xf32>
  // CHECK: error[T5-LDST-003]: tcgen05.ld: shape_16x32bx2 needs split_offset
  %v:2 = tcgen05.ld shape_16x32bx2 x2 %s : !tcgen05.tmem<16x18xf32>
  ptx.ret
}

// -----

ptx.kernel @split(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  // CHECK: error[T5-LDST-003]: tcgen05.ld: shape_32x32b takes no split_offset; found 16
  %v:2 = tcgen05.ld shape_32x32b x2 %s split 16 : !tcgen05.tmem<32x2xf32>
  ptx.ret
}

// -----

ptx.kernel @region(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  // CHECK: error[T5-TMEM-004]: tcgen05.ld: accessed region must be 32 lanes x 2 columns; found 128 lanes x 256 columns
  %v:2 = tcgen05.ld shape_32x32b x2 %d : !tcgen05.tmem<128x256xf32>
  ptx.ret
}

// -----

ptx.kernel @packed_region(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf16>
  // CHECK: error[T5-TMEM-004]: tcgen05.ld: accessed region must be 32 lanes x 4 columns; found 32 lanes x 2 columns
  %v:2 = tcgen05.ld shape_32x32b x2 pack %s : !tcgen05.tmem<32x2xf16>
  ptx.ret
}

// -----

ptx.kernel @lane(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  %s = tcgen05.slice %d[16, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  // CHECK: error[T5-LDST-005]: tcgen05.ld: shape_32x32b needs lane 0, 32, 64 or 96; found 16
  %v:2 = tcgen05.ld shape_32x32b x2 %s : !tcgen05.tmem<32x2xf32>
  ptx.ret
}

// -----

ptx.kernel @lane_of_slices(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  %s = tcgen05.slice %d[4, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<64x2xf32>
  %u = tcgen05.slice %s[16, 0] : !tcgen05.tmem<64x2xf32> to !tcgen05.tmem<16x2xf32>
  %z = arith.constant 0.0 : f32
  // CHECK: error[T5-LDST-005]: tcgen05.st: lane must be 0, 16, 32, 48, 64, 80, 96 or 112; found 20
  tcgen05.st shape_16x64b x1 %u, (%z) : !tcgen05.tmem<16x2xf32>
  ptx.ret
}

// -----

ptx.kernel @packed_words(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  // CHECK: error[T5-LDST-008]: tcgen05.ld: elements to pack in pairs must be f16 or bf16 of role accumulator; found f32 of role accumulator
  %v = tcgen05.ld shape_32x32b x1 pack %s : !tcgen05.tmem<32x2xf32>
  ptx.ret
}

// -----

ptx.kernel @packed_a(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x4xf16, a>
  %v = arith.constant 0 : i32
  // CHECK: error[T5-LDST-008]: tcgen05.st: elements to pack in pairs must be f16 or bf16 of role accumulator; found f16 of role a
  tcgen05.st shape_32x32b x1 unpack %s, (%v) : !tcgen05.tmem<32x4xf16, a>
  ptx.ret
}

// -----

ptx.kernel @register_type(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x1xf32>
  // CHECK: error[T5-TYPE-004]: tcgen05.ld: type of a register must be f32; found i32
  %v = "tcgen05.ld"(%s) <{shape = "shape_32x32b", num = "x1"}> : (!tcgen05.tmem<32x1xf32>) -> i32
  ptx.ret
}

// -----

ptx.kernel @matrix(%t : i32) {
  // CHECK: expected a matrix in tensor memory; found i32
  %v = tcgen05.ld shape_32x32b x1 %t : i32
  ptx.ret
}

// -----

ptx.kernel @negative_split(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  %s = tcgen05.slice %d[0, 8] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<16x1xf32>
  // CHECK: error[T5-LDST-006]: tcgen05.ld: columns of the access must be within 0 to 511; found -4 to -4
  %v = tcgen05.ld shape_16x32bx2 x1 %s split -4 : !tcgen05.tmem<16x1xf32>
  ptx.ret
}

// -----

ptx.kernel @overlapping_halves(%t : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf32>
  %s = tcgen05.slice %d[0, 8] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<16x5xf32>
  // Loads may overlap.
  %v:4 = tcgen05.ld shape_16x32bx2 x4 %s split 1 : !tcgen05.tmem<16x5xf32>
  // CHECK: error[T5-LDST-009]: tcgen05.st: distance between the halves of a store must be at least 4 columns; found 1, from offset 1
  tcgen05.st shape_16x32bx2 x4 %s split 1, (%v#0, %v#1, %v#2, %v#3) : !tcgen05.tmem<16x5xf32>
  ptx.ret
}

// -----

ptx.kernel @overlapping_unpacked_halves(%t : i32, %r : i32) {
  %d = tcgen05.load_address %t : !tcgen05.tmem<128x256xf16>
  %s = tcgen05.slice %d[0, 8] : !tcgen05.tmem<128x256xf16> to !tcgen05.tmem<16x3xf16>
  // CHECK: error[T5-LDST-009]: tcgen05.st: distance between the halves of a store must be at least 2 columns; found 1, from offset 1
  tcgen05.st shape_16x32bx2 x1 unpack %s split 1, (%r) : !tcgen05.tmem<16x3xf16>
  ptx.ret
}

// -----

ptx.kernel @metadata_without_meaning(%slot : i32) {
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %metadata = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x32xf32> to !tcgen05.tmem<32x8xi4, metadata>
  %indices = arith.constant 0xEEEEEEE5 : i32
  // CHECK: error[T5-SPARSE-001]: tcgen05.st: index at bit 0 of the metadata must be 0b0100, 0b0110, 0b1000, 0b1001, 0b1100, 0b1101 or 0b1110; found 0b0101
  tcgen05.st shape_32x32b x1 %metadata, (%indices) : !tcgen05.tmem<32x8xi4, metadata>
  ptx.ret
}
