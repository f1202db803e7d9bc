// T5-TARGET-010
// section: 9.7.16.2.1.1
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %scales : i32, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    // Instruction descriptor: mxf4, e2m1 x e2m1 -> f32, 256x128, K = 96.
    %idesc = ptx.constant 0x90a00480 : i32
    ptx.tcgen05.mma.block_scale cta_group_2 mxf4 [%d], %a, %b, %idesc, [%scales], [%scales], %p
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %scales : i32, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    // Instruction descriptor: mxf4, e2m1 x e2m1 -> f32, 256x128, K = 96.
    %idesc = ptx.constant 0x90a00480 : i32
    ptx.tcgen05.mma.block_scale cta_group_2 mxf4 [%d], %a, %b, %idesc, [%scales], [%scales], %p
    ptx.ret
  }
}
