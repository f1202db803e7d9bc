// T5-SCALE-010
// section: 9.7.16.10.7.1
// subject: scale_vectorsize of the MMA
// statement: The scale_vectorsize is legal for the kind and the type of the scale factors.
// why: The instruction has no other forms.
// fix: give a size that is legal for the kind and the type of the scale factors; leave it out only
//     if the kind has a single size

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %scales : i32, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    ptx.tcgen05.mma.block_scale cta_group_1 mxf4nvf4 [%d], %a, %b, %idesc, [%scales], [%scales], %p
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %scales : i32, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    ptx.tcgen05.mma.block_scale cta_group_1 mxf4nvf4 block16 [%d], %a, %b, %idesc, [%scales], [%scales], %p
    ptx.ret
  }
}
