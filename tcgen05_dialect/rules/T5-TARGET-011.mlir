// T5-TARGET-011
// section: 9.7.16.4.1.1
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%d : i32, %b : i64, %idesc : i32, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    // A begins at byte 1024, with stride 1024, swizzle_128b and an absolute leading dimension.
    %a = ptx.constant 0x4010404000010040 : i64
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%d : i32, %b : i64, %idesc : i32, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    // A begins at byte 1024, with stride 1024 and swizzle_128b.
    %a = ptx.constant 0x4000404000010040 : i64
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
    ptx.ret
  }
}
