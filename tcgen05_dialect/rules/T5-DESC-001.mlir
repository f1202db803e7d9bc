ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
  %p = ptx.setp ne b32 %x, %d
  %known = ptx.constant 4611686293305360448 : i64
  ptx.tcgen05.mma cta_group_1 f16 [%d], %known, %b, %idesc, %p
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
  %p = ptx.setp ne b32 %x, %d
  %known = ptx.constant 4611756662049538112 : i64
  ptx.tcgen05.mma cta_group_1 f16 [%d], %known, %b, %idesc, %p
  ptx.ret
}
