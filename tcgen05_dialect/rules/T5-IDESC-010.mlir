// T5-IDESC-010
// section: 9.7.16.4.2
// subject: instruction descriptor
// statement: The instruction descriptor is sparse if and only if the instruction is .sp.
// why: The manual leaves a mismatch undefined, and ptxas does not report it.
// fix: make the instruction descriptor sparse if and only if the instruction is .sp

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %metadata : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Instruction descriptor: f16, bf16 x bf16 -> f32, 128x128.
  %idesc = ptx.constant 0x8200490 : i32
  ptx.tcgen05.mma.sp cta_group_1 f16 [%d], %a, %b, [%metadata], %idesc, %p
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %metadata : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Instruction descriptor: f16, bf16 x bf16 -> f32, 128x128, sparse.
  %idesc = ptx.constant 0x8200494 : i32
  ptx.tcgen05.mma.sp cta_group_1 f16 [%d], %a, %b, [%metadata], %idesc, %p
  ptx.ret
}
