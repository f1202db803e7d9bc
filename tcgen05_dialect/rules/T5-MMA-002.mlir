// T5-MMA-002
// section: 9.7.16.10.9.1
// subject: scale-input-d
// statement: scale-input-d scales D by 2^-n, where n fits into its field.
// why: The instruction has no bits for a larger exponent.
// fix: scale by 2^-{least} to 2^-{most}

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p scale_input_d(16)
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p scale_input_d(15)
  ptx.ret
}
