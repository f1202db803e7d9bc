// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @waiting(%d : i32) {
  // CHECK: expected ld or st as operation
  ptx.tcgen05.wait mma
  ptx.ret
}

// -----

ptx.kernel @order(%d : i32) {
  // CHECK: expected after_thread_sync or before_thread_sync as order
  ptx.tcgen05.fence during_thread_sync
  ptx.ret
}

// -----

ptx.kernel @cp_multicast(%d : i32, %a : i64) {
  // CHECK: error[T5-CP-002]: ptx.tcgen05.cp: shape_128x256b takes no multicast; found warpx4
  ptx.tcgen05.cp cta_group_1 shape_128x256b warpx4 [%d], %a
  ptx.ret
}

// -----

ptx.kernel @cp_without_multicast(%d : i32, %a : i64) {
  // CHECK: error[T5-CP-002]: ptx.tcgen05.cp: shape_64x128b needs multicast warpx2_01_23 or warpx2_02_13; found none
  ptx.tcgen05.cp cta_group_1 shape_64x128b [%d], %a
  ptx.ret
}

// -----

ptx.kernel @cp_shape(%d : i32, %a : i64) {
  // CHECK: expected shape_4x256b, shape_32x128b, shape_64x128b, shape_128x128b or shape_128x256b as shape
  ptx.tcgen05.cp cta_group_1 shape_32x256b [%d], %a
  ptx.ret
}

// -----

ptx.kernel @cp_descriptor(%d : i32) {
  // CHECK: error[T5-PTX-080]: ptx.tcgen05.cp: descriptor: type of an operand or a result must be i64; found i32
  ptx.tcgen05.cp cta_group_1 shape_128x256b [%d], %d
  ptx.ret
}

// -----

ptx.kernel @shift_address(%g : i64) {
  // CHECK: error[T5-PTX-080]: ptx.tcgen05.shift: address: type of an operand or a result must be i32; found i64
  ptx.tcgen05.shift cta_group_1 [%g]
  ptx.ret
}

// -----

ptx.kernel @scale_of_f8(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: error[T5-MMA-001]: ptx.tcgen05.mma: kind f8f6f4 takes no scale_input_d
  ptx.tcgen05.mma cta_group_1 f8f6f4 [%d], %a, %a, %i, %p scale_input_d(1)
  ptx.ret
}

// -----

ptx.kernel @scale(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: error[T5-MMA-002]: ptx.tcgen05.mma: scale-input-d must be 0, 1, ... 15; found 16
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %a, %i, %p scale_input_d(16)
  ptx.ret
}

// -----

ptx.kernel @lanes(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: error[T5-MMA-001]: ptx.tcgen05.mma: number of registers of disable-output-lane must be 4; found 2
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %a, %i disable_output_lane(%i, %i), %p
  ptx.ret
}

// -----

ptx.kernel @lanes_of_a_pair(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: error[T5-MMA-001]: ptx.tcgen05.mma: number of registers of disable-output-lane must be 8; found 4
  ptx.tcgen05.mma cta_group_2 f16 [%d], %a, %a, %i disable_output_lane(%i, %i, %i, %i), %p
  ptx.ret
}

// -----

ptx.kernel @collector_operation(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: error[T5-COLLECTOR-001]: ptx.tcgen05.mma: without .ws, collector buffer must be a; found none
  ptx.tcgen05.mma cta_group_1 f16 fill [%d], %a, %a, %i, %p
  ptx.ret
}

// -----

ptx.kernel @collector_buffer(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: error[T5-COLLECTOR-001]: ptx.tcgen05.mma: collector operation must be discard, fill, lastuse or use; found none
  ptx.tcgen05.mma cta_group_1 f16 a [%d], %a, %a, %i, %p
  ptx.ret
}

// -----

ptx.kernel @buffer_of_weights(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: expected a, ashift, cta_group_1, cta_group_2, discard, f8f6f4, f16, fill, i8, lastuse, tf32 or use as a qualifier; found "b0"
  ptx.tcgen05.mma cta_group_1 f16 "b0" fill [%d], %a, %a, %i, %p
  ptx.ret
}

// -----

ptx.kernel @ashift_in_shared_memory(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: error[T5-COLLECTOR-002]: ptx.tcgen05.mma: .ashift needs A in tensor memory; found shared
  ptx.tcgen05.mma cta_group_1 f16 ashift [%d], %a, %a, %i, %p
  ptx.ret
}

// -----

ptx.kernel @ashift_that_fills(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: error[T5-COLLECTOR-002]: ptx.tcgen05.mma: .ashift needs collector operation discard or lastuse; found fill
  ptx.tcgen05.mma cta_group_1 f16 ashift a fill [%d], [%i], %a, %i, %p
  ptx.ret
}

// -----

ptx.kernel @kind(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: expected f8f6f4, f16, i8 or tf32 as kind
  ptx.tcgen05.mma cta_group_1 mxf4 [%d], %a, %a, %i, %p
  ptx.ret
}

// -----

ptx.kernel @no_kind(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: expected f8f6f4, f16, i8 or tf32 as kind
  ptx.tcgen05.mma cta_group_1 [%d], %a, %a, %i, %p
  ptx.ret
}

// -----

ptx.kernel @descriptor(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: error[T5-PTX-080]: ptx.tcgen05.mma: b: type of an operand or a result must be i64; found i32
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %d, %i, %p
  ptx.ret
}

// -----

ptx.kernel @predicate(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: error[T5-PTX-080]: ptx.tcgen05.mma: enable_input_d: type of an operand or a result must be i1; found i32
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %a, %i, %i
  ptx.ret
}

// -----

ptx.kernel @destination(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp eq b32 %d, %d
  // CHECK: error[T5-PTX-080]: ptx.tcgen05.mma: d: type of an operand or a result must be i32; found i64
  ptx.tcgen05.mma cta_group_1 f16 [%a], %a, %a, %i, %p
  ptx.ret
}

// -----

ptx.kernel @commit_address(%s : i32) {
  // CHECK: error[T5-PTX-080]: ptx.tcgen05.commit: PTX operand mbarrier as a generic address must be i64; found i32
  ptx.tcgen05.commit cta_group_1 [%s]
  ptx.ret
}

// -----

ptx.kernel @commit_mask(%s : i32) {
  // CHECK: error[T5-PTX-080]: ptx.tcgen05.commit: multicast_mask: type of an operand or a result must be i16; found i32
  ptx.tcgen05.commit cta_group_1 shared_cluster multicast_mask(%s) [%s]
  ptx.ret
}

// -----

ptx.kernel @commit_space(%s : i32) {
  // CHECK: expected cta_group_1, cta_group_2 or shared_cluster as a qualifier; found "shared_cta"
  ptx.tcgen05.commit cta_group_1 "shared_cta" [%s]
  ptx.ret
}

// -----

ptx.kernel @pair_stationary(%d : i32, %a : i64, %p : i32) {
  %t = ptx.constant true
  // CHECK: expected cta_group_1 as cta_group
  ptx.tcgen05.mma.ws cta_group_2 f16 [%d], %a, %a, %d, %t
  ptx.ret
}

// -----

ptx.kernel @scaled(%d : i32, %a : i64) {
  %t = ptx.constant true
  // CHECK: error[T5-SCALE-010]: ptx.tcgen05.mma.block_scale: kind mxf4nvf4 needs scale_vectorsize block16, block32, scale_vec_2x or scale_vec_4x; found none
  ptx.tcgen05.mma.block_scale cta_group_1 mxf4nvf4 [%d], %a, %a, %d, [%d], [%d], %t
  ptx.ret
}

// -----

ptx.kernel @vector_size(%d : i32, %a : i64) {
  %t = ptx.constant true
  // CHECK: error[T5-SCALE-010]: ptx.tcgen05.mma.sp.block_scale: kind mxf4 takes scale_vectorsize none, block32 or scale_vec_2x; found block16
  ptx.tcgen05.mma.sp.block_scale cta_group_1 mxf4 block16 [%d], %a, %a, [%d], %d, [%d], [%d], %t
  ptx.ret
}

// -----

ptx.kernel @collector(%d : i32, %a : i64) {
  %t = ptx.constant true
  // CHECK: error[T5-COLLECTOR-001]: ptx.tcgen05.mma.ws.sp: collector operation must be discard, fill, lastuse or use; found none
  ptx.tcgen05.mma.ws.sp cta_group_1 f16 b1 [%d], %a, %a, [%d], %d, %t
  ptx.ret
}

// -----

ptx.kernel @lanes(%d : i32, %a : i64) {
  %t = ptx.constant true
  // CHECK: error[T5-MMA-001]: ptx.tcgen05.mma.sp: number of registers of disable-output-lane must be 4; found 3
  ptx.tcgen05.mma.sp cta_group_1 f16 [%d], %a, %a, [%d], %d disable_output_lane(%d, %d, %d), %t
  ptx.ret
}

// -----

ptx.kernel @descriptor_of_another_kind(%d : i32, %a : i64) {
  %t = ptx.constant true
  // bf16 x bf16 -> f32, 128x64
  %idesc = ptx.constant 135267472 : i32
  // CHECK: error[T5-TYPE-003]: ptx.tcgen05.mma: kind tf32 needs A of type tf32; found the code that means bf16, e5m2 or s8 in other kinds
  // CHECK: error[T5-TYPE-003]: ptx.tcgen05.mma: kind tf32 needs B of type tf32; found the code that means bf16, e5m2 or s8 in other kinds
  ptx.tcgen05.mma cta_group_1 tf32 [%d], %a, %a, %idesc, %t
  ptx.ret
}

// -----

ptx.kernel @sparsity(%d : i32, %a : i64) {
  %t = ptx.constant true
  %idesc = ptx.constant 135267472 : i32
  // CHECK: error[T5-IDESC-010]: ptx.tcgen05.mma.sp: instruction descriptor must be sparse; found dense
  ptx.tcgen05.mma.sp cta_group_1 f16 [%d], %a, %a, [%d], %idesc, %t
  ptx.ret
}

// -----

ptx.kernel @rows_of_a_pair(%d : i32, %a : i64) {
  %t = ptx.constant true
  // bf16 x bf16 -> f32, 64x128: a pair has no 64 rows
  %idesc = ptx.constant 69207184 : i32
  // CHECK: error[T5-SHAPE-002]: ptx.tcgen05.mma: cta_group 2 needs M 128 or 256; found 64
  ptx.tcgen05.mma cta_group_2 f16 [%d], %a, %a, %idesc, %t
  ptx.ret
}

// -----

ptx.kernel @smem_descriptor(%d : i32, %b : i64) {
  %t = ptx.constant true
  %a = ptx.constant 0 : i64
  // CHECK: error[T5-DESC-001]: ptx.tcgen05.mma: A: fixed bits of the shared memory descriptor must be 0b001; found 0b000
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %d, %t
  ptx.ret
}

// -----

ptx.kernel @mask(%d : i32, %a : i64) {
  %t = ptx.constant true
  %mask = ptx.constant -1 : i64
  // CHECK: error[T5-DESC-010]: ptx.tcgen05.mma.ws: fixed bits of the zero-column mask must be 0b000; found 0b111
  // CHECK: error[T5-DESC-011]: ptx.tcgen05.mma.ws: column_shift must be 0, 1, ... 32; found 63
  // CHECK: error[T5-DESC-010]: ptx.tcgen05.mma.ws: fixed bits of the zero-column mask must be 0b00; found 0b11
  ptx.tcgen05.mma.ws cta_group_1 f16 [%d], %a, %a, %d, %t zero_column_mask(%mask)
  ptx.ret
}

// -----

ptx.kernel @scale_type(%d : i32, %a : i64) {
  %t = ptx.constant true
  // mxf4nvf4, e2m1 x e2m1, 128x128, scale factors of type ue4m3
  %idesc = ptx.constant 136316032 : i32
  // CHECK: error[T5-SCALE-010]: ptx.tcgen05.mma.block_scale: scale_type ue4m3 needs scale_vectorsize block16 or scale_vec_4x; found scale_vec_2x
  ptx.tcgen05.mma.block_scale cta_group_1 mxf4nvf4 scale_vec_2x [%d], %a, %a, %idesc, [%d], [%d], %t
  ptx.ret
}

// -----

// Descriptor of kind f16 with M = 64.
ptx.kernel @shifted_rows(%d : i32, %a : i32, %b : i64, %p : i32) {
  %accumulate = ptx.setp ne b32 %p, %p
  %descriptor = ptx.constant 68157456 : i32
  // CHECK: error[T5-COLLECTOR-002]: ptx.tcgen05.mma: .ashift needs M 128 or 256; found 64
  ptx.tcgen05.mma cta_group_1 f16 ashift [%d], [%a], %b, %descriptor, %accumulate
  ptx.ret
}

// -----

ptx.kernel @known_columns_of_d(%a : i64, %b : i64, %n : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %n, %zero
  // kind f16, bf16 x bf16 -> f32, 128x256
  %idesc = ptx.constant 0x8400490 : i32
  %d = ptx.constant 384 : i32
  // CHECK: error[T5-TMEM-001]: ptx.tcgen05.mma: columns of D must be within 0 to 511; found 384 to 639
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
  ptx.ret
}

// -----

ptx.kernel @known_lane_of_d(%a : i64, %b : i64, %n : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %n, %zero
  %idesc = ptx.constant 0x8400490 : i32
  %d = ptx.constant 0x100000 : i32
  // CHECK: error[T5-TMEM-002]: ptx.tcgen05.mma: lane of D in layout D must be 0; found 16
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
  ptx.ret
}

// -----

ptx.kernel @known_swizzle(%d : i32, %a : i64, %n : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %n, %zero
  // kind tf32, 128x256, B transposed
  %idesc = ptx.constant 0x8410910 : i32
  // swizzle_128b
  %b = ptx.constant 0x4000404000010000 : i64
  // CHECK: error[T5-SWIZZLE-002]: ptx.tcgen05.mma: B: a tile of 32-bit elements with mn_major needs swizzle_128b_atom_32b; found swizzle_128b
  ptx.tcgen05.mma cta_group_1 tf32 [%d], %a, %b, %idesc, %p
  ptx.ret
}

// -----

ptx.kernel @offset_of_a_descriptor(%d : i32, %a : i64, %i : i32) {
  %p = ptx.setp ne b32 %i, %i
  // CHECK: error[T5-PTX-093]: ptx.tcgen05.mma: a must be an offset of an address; found an offset of a descriptor
  ptx.tcgen05.mma cta_group_1 f16 [%d], [%a + 8], %a, %i, %p
  ptx.ret
}

// -----

// The absolute address of B also needs a K-major A, whose descriptor is not known.
ptx.kernel @absolute(%d : i32, %a : i64) {
  %accumulate = ptx.constant true
  %b = ptx.constant 4616260261685231680 : i64
  %idesc = ptx.constant 135300240 : i32
  // CHECK: error[T5-DESC-006]: ptx.tcgen05.mma: B: each matrix of a product with an absolute leading dimension address must be K-major; found MN-major
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %accumulate
  ptx.ret
}
