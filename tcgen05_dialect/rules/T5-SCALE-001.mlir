ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
  %p = ptx.setp ne b32 %x, %d
  %known = ptx.constant 681575552 : i32
  ptx.tcgen05.mma.block_scale cta_group_1 mxf4 scale_vec_2x [%d], %a, %b, %known, [%x], [%x], %p
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
  %p = ptx.setp ne b32 %x, %d
  %known = ptx.constant 144704640 : i32
  ptx.tcgen05.mma.block_scale cta_group_1 mxf4 scale_vec_2x [%d], %a, %b, %known, [%x], [%x], %p
  ptx.ret
}
