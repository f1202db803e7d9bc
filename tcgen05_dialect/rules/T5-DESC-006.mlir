builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @example(%d : i32, %b : i64, %idesc : i32, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    // A begins at byte 1024, with stride 1024, swizzle_64b and an absolute leading dimension.
    %a = ptx.constant 0x8010404000010040 : i64
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @example(%d : i32, %b : i64, %idesc : i32, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    // A begins at byte 1024, with stride 1024, swizzle_128b and an absolute leading dimension.
    %a = ptx.constant 0x4010404000010040 : i64
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
    ptx.ret
  }
}
