ptx.kernel @example(%d : i32, %a : i64, %b : i64, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Instruction descriptor: f16, bf16 x bf16 -> f32, 128x128. The reserved bit 29 is set.
  %idesc = ptx.constant 0x28200490 : i32
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Instruction descriptor: f16, bf16 x bf16 -> f32, 128x128.
  %idesc = ptx.constant 0x8200490 : i32
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
  ptx.ret
}
