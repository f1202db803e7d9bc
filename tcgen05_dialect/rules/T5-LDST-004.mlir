// T5-LDST-004
// section: 9.7.16.8.3
// subject: reduction of ld.red
// statement: A reducing ld computes the minimum or the maximum; .abs and .NaN are for floats.
// why: The instruction has no encoding for other combinations.
// fix: reduce with min or max; .abs and .NaN go with .f32 only

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @example(%address : i32) {
    %v:3 = ptx.tcgen05.ld.red shape_32x32b x2 min abs u32 [%address] -> 3 x i32
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @example(%address : i32) {
    %v:3 = ptx.tcgen05.ld.red shape_32x32b x2 min u32 [%address] -> 3 x i32
    ptx.ret
  }
}
