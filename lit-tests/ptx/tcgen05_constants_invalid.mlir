// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// Messages say the number that the bits of a constant stand for, and which operand it is.

ptx.kernel @n(%d : i32, %a : i64) {
  %t = ptx.constant true
  // bf16 x bf16 -> f32, 128x264
  %idesc = ptx.constant 138544272 : i32
  // CHECK: error[T5-SHAPE-002]: ptx.tcgen05.mma: kind f16 needs N 8, 16, ... 256; found 264 (128x264)
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %a, %idesc, %t
  ptx.ret
}

// -----

ptx.kernel @kind(%d : i32, %a : i64) {
  %t = ptx.constant true
  // bf16 x bf16 -> f32, 128x64
  %idesc = ptx.constant 135267472 : i32
  // CHECK: error[T5-TYPE-003]: ptx.tcgen05.mma: kind tf32 needs A of type tf32; found the code that means bf16, e5m2 or s8 in other kinds
  // CHECK: error[T5-TYPE-003]: ptx.tcgen05.mma: kind tf32 needs B of type tf32; found the code that means bf16, e5m2 or s8 in other kinds
  ptx.tcgen05.mma cta_group_1 tf32 [%d], %a, %a, %idesc, %t
  ptx.ret
}

// -----

ptx.kernel @operands(%d : i32, %i : i32) {
  %t = ptx.constant true
  %x = ptx.constant 0 : i64
  // CHECK: error[T5-DESC-001]: ptx.tcgen05.mma: A: fixed bits of the shared memory descriptor must be 0b001; found 0b000
  // CHECK: error[T5-DESC-001]: ptx.tcgen05.mma: B: fixed bits of the shared memory descriptor must be 0b001; found 0b000
  ptx.tcgen05.mma cta_group_1 f16 [%d], %x, %x, %i, %t
  ptx.ret
}

// -----

ptx.kernel @scale_factor_ids(%d : i32, %x : i64) {
  %t = ptx.constant true
  // e2m1 x e2m1 -> f32, 128x64, scale_type ue8m0, sfb_id 1
  %idesc = ptx.constant 143656080 : i32
  // CHECK: error[T5-SCALE-001]: ptx.tcgen05.mma.block_scale: kind mxf4 without k96 needs sfb_id 0 or 2; found 1
  ptx.tcgen05.mma.block_scale cta_group_1 mxf4 [%d], %x, %x, %idesc, [%d], [%d], %t
  ptx.ret
}
