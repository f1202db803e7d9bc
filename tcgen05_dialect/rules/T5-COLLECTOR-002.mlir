ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
  %p = ptx.setp ne b32 %x, %d
  ptx.tcgen05.mma cta_group_1 f16 ashift a fill [%d], [%x], %b, %idesc, %p
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
  %p = ptx.setp ne b32 %x, %d
  ptx.tcgen05.mma cta_group_1 f16 ashift a lastuse [%d], [%x], %b, %idesc, %p
  ptx.ret
}
