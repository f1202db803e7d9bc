ptx.kernel @example(%d : i32, %at : i32, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  ptx.tcgen05.mma cta_group_1 f16 ashift a fill [%d], [%at], %b, %idesc, %p
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %at : i32, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  ptx.tcgen05.mma cta_group_1 f16 ashift a lastuse [%d], [%at], %b, %idesc, %p
  ptx.ret
}
