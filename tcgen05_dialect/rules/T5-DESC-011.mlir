// T5-DESC-011
// section: 9.7.16.4.3
// subject: column shift of the zero-column mask
// statement: The column shift of a zero-column mask is at most the limit for M.
// why: A larger shift would use sub-masks that do not exist for this M.
// fix: shift by fewer columns; the limit is lowest for the smallest M

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Zero-column mask: skip span 7, use span 7, column shift 40.
  %mask = ptx.constant 0x2807078000000000 : i64
  ptx.tcgen05.mma.ws cta_group_1 f16 [%d], %a, %b, %idesc, %p zero_column_mask(%mask)
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Zero-column mask: skip span 7, use span 7, column shift 32.
  %mask = ptx.constant 0x2007078000000000 : i64
  ptx.tcgen05.mma.ws cta_group_1 f16 [%d], %a, %b, %idesc, %p zero_column_mask(%mask)
  ptx.ret
}
