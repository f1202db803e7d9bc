ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
  %p = ptx.setp ne b32 %x, %d
  %known = ptx.constant 136316048 : i32
  ptx.tcgen05.mma.sp cta_group_1 f16 [%d], %a, %b, [%x], %known, %p
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
  %p = ptx.setp ne b32 %x, %d
  %known = ptx.constant 136316052 : i32
  ptx.tcgen05.mma.sp cta_group_1 f16 [%d], %a, %b, [%x], %known, %p
  ptx.ret
}
