// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @columns(%s : i32) {
  %c = ptx.constant 96 : i32
  // CHECK: error[T5-ALLOC-001]: ptx.tcgen05.alloc: number of columns must be 32, 64, 128, 256 or 512; found 96
  ptx.tcgen05.alloc cta_group_1 shared_cta [%s], %c
  ptx.ret
}

// -----

ptx.kernel @few_columns(%s : i32) {
  %c = ptx.constant 16 : i32
  // CHECK: error[T5-ALLOC-001]: ptx.tcgen05.alloc: number of columns must be 32, 64, 128, 256 or 512; found 16
  ptx.tcgen05.alloc cta_group_1 shared_cta [%s], %c
  ptx.ret
}

// -----

ptx.kernel @freed_columns(%s : i32) {
  %c = ptx.constant 1024 : i32
  // CHECK: error[T5-ALLOC-001]: ptx.tcgen05.dealloc: number of columns must be 32, 64, 128, 256 or 512; found 1024
  ptx.tcgen05.dealloc cta_group_1 %s, %c
  ptx.ret
}

// -----

ptx.kernel @generic_address(%s : i32) {
  // CHECK: error[T5-PTX-080]: ptx.tcgen05.alloc: PTX operand address as a generic address must be i64; found i32
  ptx.tcgen05.alloc cta_group_1 [%s], %s
  ptx.ret
}

// -----

ptx.kernel @taddr(%t : i64, %n : i32) {
  // CHECK: error[T5-PTX-080]: ptx.tcgen05.dealloc: taddr: type of an operand or a result must be i32; found i64
  ptx.tcgen05.dealloc cta_group_1 %t, %n
  ptx.ret
}

// -----

ptx.kernel @group(%s : i32) {
  // CHECK: expected cta_group_1 or cta_group_2 as cta_group
  ptx.tcgen05.relinquish_alloc_permit cta_group_3
  ptx.ret
}

// -----

ptx.kernel @no_group(%s : i32) {
  ptx.tcgen05.relinquish_alloc_permit
  // CHECK: expected cta_group_1 or cta_group_2 as cta_group
  ptx.ret
}

// -----

ptx.kernel @generic_group(%s : i32) {
  // CHECK: error[T5-PTX-092]: ptx.tcgen05.relinquish_alloc_permit: qualifier must be cta_group_1 or cta_group_2; found cta_group_4
  "ptx.tcgen05.relinquish_alloc_permit"() <{cta_group = "cta_group_4"}> : () -> ()
  ptx.ret
}

// -----

ptx.kernel @num(%d : i32) {
  // CHECK: error[T5-LDST-001]: ptx.tcgen05.ld: shape_16x128b with a vector of length 128 needs num x64; found x128
  %v:128 = ptx.tcgen05.ld shape_16x128b x128 [%d] -> 128 x i32
  ptx.ret
}

// -----

ptx.kernel @registers(%d : i32) {
  // CHECK: error[T5-LDST-002]: ptx.tcgen05.ld: shape_32x32b with num x2 needs a vector of length 2; found 1
  %v = ptx.tcgen05.ld shape_32x32b x2 [%d] -> i32
  ptx.ret
}

// -----

ptx.kernel @stored_registers(%d : i32) {
  // CHECK: error[T5-LDST-002]: ptx.tcgen05.st: shape_16x256b with num x1 needs a vector of length 4; found 2
  ptx.tcgen05.st shape_16x256b x1 [%d], {%d, %d}
  ptx.ret
}

// -----

ptx.kernel @no_split(%d : i32) {
  // CHECK: error[T5-LDST-003]: ptx.tcgen05.ld: shape_16x32bx2 needs split_offset
  %v = ptx.tcgen05.ld shape_16x32bx2 x1 [%d] -> i32
  ptx.ret
}

// -----

ptx.kernel @split(%d : i32) {
  // CHECK: error[T5-LDST-003]: ptx.tcgen05.st: shape_32x32b takes no split_offset; found 4
  ptx.tcgen05.st shape_32x32b x1 [%d] split_offset(4), {%d}
  ptx.ret
}

// -----

ptx.kernel @overlapping_halves(%d : i32) {
  // Loads may overlap.
  %v:4 = ptx.tcgen05.ld shape_16x32bx2 x4 [%d] split_offset(0) -> 4 x i32
  // CHECK: error[T5-LDST-009]: ptx.tcgen05.st: distance between the halves of a store must be at least 4 columns; found 3, from offset -3
  ptx.tcgen05.st shape_16x32bx2 x4 [%d] split_offset(-3), {%v#0, %v#1, %v#2, %v#3}
  ptx.ret
}

// -----

ptx.kernel @shape(%d : i32) {
  // CHECK: expected shape_16x32bx2, shape_16x64b, shape_16x128b, shape_16x256b or shape_32x32b as shape
  %v = ptx.tcgen05.ld shape_8x8b x1 [%d] -> i32
  ptx.ret
}

// -----

ptx.kernel @no_num(%d : i32) {
  // CHECK: expected x1, x2, x4, x8, x16, x32, x64 or x128 as num
  %v = ptx.tcgen05.ld shape_32x32b [%d] -> i32
  ptx.ret
}

// -----

ptx.kernel @pack(%d : i32) {
  // CHECK: expected '[' or pack; found unpack
  %v = ptx.tcgen05.ld shape_32x32b x1 unpack [%d] -> i32
  ptx.ret
}

// -----

ptx.kernel @register_type(%d : i32) {
  // CHECK: error[T5-PTX-080]: ptx.tcgen05.ld: values: type of an operand or a result must be i32 or f32; found i64
  %v = ptx.tcgen05.ld shape_32x32b x1 [%d] -> i64
  ptx.ret
}

// -----

ptx.kernel @stored_type(%d : i32, %h : f16) {
  // CHECK: error[T5-PTX-080]: ptx.tcgen05.st: values: type of an operand or a result must be i32 or f32; found f16
  ptx.tcgen05.st shape_32x32b x1 [%d], {%h}
  ptx.ret
}

// -----

ptx.kernel @address(%g : i64) {
  // CHECK: error[T5-PTX-080]: ptx.tcgen05.ld: address: type of an operand or a result must be i32; found i64
  %v = ptx.tcgen05.ld shape_32x32b x1 [%g] -> i32
  ptx.ret
}

// -----

ptx.kernel @reduction(%a : i32) {
  // CHECK: error[T5-LDST-004]: ptx.tcgen05.ld.red: type u32 takes no abs
  %v:3 = ptx.tcgen05.ld.red shape_32x32b x2 min abs u32 [%a] -> 3 x i32
  ptx.ret
}

// -----

ptx.kernel @known_lane() {
  %address = ptx.constant 0x100000 : i32
  // CHECK: error[T5-LDST-005]: ptx.tcgen05.ld: shape_32x32b needs lane 0, 32, 64 or 96; found 16
  %v = ptx.tcgen05.ld shape_32x32b x1 [%address] -> i32
  ptx.ret
}

// -----

ptx.kernel @known_columns() {
  %address = ptx.constant 500 : i32
  // CHECK: error[T5-LDST-006]: ptx.tcgen05.ld: columns of the access must be within 0 to 511; found 504 to 519
  %v:16 = ptx.tcgen05.ld shape_32x32b x16 [%address + 4] -> 16 x i32
  ptx.ret
}

// -----

ptx.kernel @known_lane_of_shift() {
  %address = ptx.constant 0x100000 : i32
  // CHECK: error[T5-SHIFT-001]: ptx.tcgen05.shift: lane must be 0, 32, 64 or 96; found 16
  ptx.tcgen05.shift cta_group_1 [%address]
  ptx.ret
}

// -----

ptx.kernel @known_source_of_cp(%address : i32) {
  %source = ptx.constant 0x4000004000010000 : i64
  // CHECK: error[T5-DESC-001]: ptx.tcgen05.cp: fixed bits of the shared memory descriptor must be 0b001; found 0b000
  ptx.tcgen05.cp cta_group_1 shape_128x256b [%address], %source
  ptx.ret
}

// -----

ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @swapped_variable() {
  %slot = ptx.address_of @slot
  %columns = ptx.constant 64 : i32
  // CHECK: error[T5-ALLOC-001]: ptx.tcgen05.alloc: the operands look swapped: number of columns must be 32, 64, 128, 256 or 512; found the address of @slot
  ptx.tcgen05.alloc cta_group_1 shared_cta [%columns], %slot
  ptx.ret
}

// -----

ptx.kernel @swapped_dealloc() {
  %address = ptx.constant 0 : i32
  %columns = ptx.constant 64 : i32
  // CHECK: error[T5-ALLOC-001]: ptx.tcgen05.dealloc: the operands look swapped: number of columns must be 32, 64, 128, 256 or 512; found 0
  ptx.tcgen05.dealloc cta_group_1 %columns, %address
  ptx.ret
}
