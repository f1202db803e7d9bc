// T5-DESC-010
// section: 9.7.16.4.3
// subject: fixed bits of the zero-column mask descriptor
// statement: The fixed bits of a zero-column mask are zero.
// why: The manual reserves them; ptxas does not check them.
// fix: leave the bits between the fields zero

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Zero-column mask: skip span 7, use span 7. The reserved bit 62 is set.
  %mask = ptx.constant 0x4007078000000000 : i64
  ptx.tcgen05.mma.ws cta_group_1 f16 [%d], %a, %b, %idesc, %p zero_column_mask(%mask)
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Zero-column mask: skip span 7, use span 7.
  %mask = ptx.constant 0x7078000000000 : i64
  ptx.tcgen05.mma.ws cta_group_1 f16 [%d], %a, %b, %idesc, %p zero_column_mask(%mask)
  ptx.ret
}
