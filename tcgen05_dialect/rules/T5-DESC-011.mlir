ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
  %p = ptx.setp ne b32 %x, %d
  %known = ptx.constant 2884282332691300352 : i64
  ptx.tcgen05.mma.ws cta_group_1 f16 [%d], %a, %b, %idesc, %p zero_column_mask(%known)
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
  %p = ptx.setp ne b32 %x, %d
  %known = ptx.constant 2307821580387876864 : i64
  ptx.tcgen05.mma.ws cta_group_1 f16 [%d], %a, %b, %idesc, %p zero_column_mask(%known)
  ptx.ret
}
