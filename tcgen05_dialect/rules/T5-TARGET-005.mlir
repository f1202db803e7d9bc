// T5-TARGET-005
// section: 9.7.16.10.9.1
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %scales : i32, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    ptx.tcgen05.mma.block_scale cta_group_1 mxf4nvf4 scale_vec_4x [%d], %a, %b, %idesc, [%scales], [%scales], %p
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %scales : i32, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    ptx.tcgen05.mma.block_scale cta_group_1 mxf4nvf4 scale_vec_4x [%d], %a, %b, %idesc, [%scales], [%scales], %p
    ptx.ret
  }
}
