// T5-TMEM-001
// section: 9.7.16.1.1
// subject: address in tensor memory
// statement: An address in tensor memory consists of an existing lane and column.
// why: The manual leaves other addresses undefined.
// fix: keep lane and column inside {lanes} x {columns}

ptx.kernel @example(%a : i64, %b : i64, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Instruction descriptor: f16, bf16 x bf16 -> f32, 128x256.
  %idesc = ptx.constant 0x8400490 : i32
  %d = ptx.constant 384 : i32
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
  ptx.ret
}

// -----

ptx.kernel @example(%a : i64, %b : i64, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Instruction descriptor: f16, bf16 x bf16 -> f32, 128x256.
  %idesc = ptx.constant 0x8400490 : i32
  %d = ptx.constant 256 : i32
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
  ptx.ret
}
