// T5-DESC-012
// section: 9.7.16.4.3
// subject: M of a zero-column mask
// statement: A zero-column mask needs an MMA whose M has sub-masks.
// why: The manual defines no mask for other shapes.
// fix: use the mask only with an M that has sub-masks

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Instruction descriptor: f16, bf16 x bf16 -> f32, 256x128.
  %idesc = ptx.constant 0x10200490 : i32
  // Zero-column mask: skip span 7, use span 7.
  %mask = ptx.constant 0x7078000000000 : i64
  ptx.tcgen05.mma.ws cta_group_1 f16 [%d], %a, %b, %idesc, %p zero_column_mask(%mask)
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Instruction descriptor: f16, bf16 x bf16 -> f32, 128x128.
  %idesc = ptx.constant 0x8200490 : i32
  // Zero-column mask: skip span 7, use span 7.
  %mask = ptx.constant 0x7078000000000 : i64
  ptx.tcgen05.mma.ws cta_group_1 f16 [%d], %a, %b, %idesc, %p zero_column_mask(%mask)
  ptx.ret
}
