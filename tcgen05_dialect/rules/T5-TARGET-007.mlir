// T5-TARGET-007
// section: 9.7.16.10.9.1
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_110a", "9.0">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p scale_input_d(1)
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.0">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p scale_input_d(1)
    ptx.ret
  }
}
