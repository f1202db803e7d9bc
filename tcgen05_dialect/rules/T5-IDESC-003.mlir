// T5-IDESC-003
// section: 9.7.16.4.2
// subject: bits of the instruction descriptor
// statement: The bits of an instruction descriptor are legal in the format of its kind, and
//     reserved bits are zero.
// why: The hardware reads the bits in the format of the kind. A descriptor encoded for another kind
//     describes another product.
// fix: leave the reserved bits zero; encode the descriptor for the kind of the MMA

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
