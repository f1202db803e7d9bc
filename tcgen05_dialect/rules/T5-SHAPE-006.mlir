// T5-SHAPE-006
// section: 9.7.16.2.1
// subject: K = 96 outside the shapes of the manual
// statement: K = 96 needs a CTA pair and M = {m}.
// why: The manual leaves other shapes undefined.
// fix: use a CTA pair with M = {m}, or leave out k96
// practice: CUTLASS uses this shape

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %sfa : i32, %sfb : i32) {
    %accumulate = ptx.constant false
    // Instruction descriptor: mxf4nvf4, e2m1 x e2m1 -> f32, 128x128, scale_type ue4m3, K = 96.
    %idesc = ptx.constant 0x88200480 : i32
    ptx.tcgen05.mma.block_scale cta_group_1 mxf4nvf4 block16
        [%d], %a, %b, %idesc, [%sfa], [%sfb], %accumulate
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %sfa : i32, %sfb : i32) {
    %accumulate = ptx.constant false
    // Instruction descriptor: mxf4nvf4, e2m1 x e2m1 -> f32, 256x128, scale_type ue4m3, K = 96.
    %idesc = ptx.constant 0x90200480 : i32
    ptx.tcgen05.mma.block_scale cta_group_2 mxf4nvf4 block16
        [%d], %a, %b, %idesc, [%sfa], [%sfb], %accumulate
    ptx.ret
  }
}
