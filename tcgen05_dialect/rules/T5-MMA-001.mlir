// T5-MMA-001
// section: 9.7.16.10.9
// subject: optional operands of the MMA
// statement: An optional operand of an MMA exists for its kind and form.
// why: Other kinds and forms have no such operand.
// fix: use disable-output-lane and scale-input-d only without .ws and scale factors, scale-input-d
//     only with f16 and tf32, and a zero-column mask only with .ws

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  ptx.tcgen05.mma cta_group_1 f8f6f4 [%d], %a, %b, %idesc, %p scale_input_d(1)
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p scale_input_d(1)
  ptx.ret
}
