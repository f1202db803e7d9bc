// T5-DESC-006
// section: 9.7.16.3.1.2.1
// subject: absolute leading dimension address
// statement: A product with an absolute leading dimension address needs K-major matrices; the
//     descriptor with the address needs swizzle_128b and base offset 0.
// why: In other layouts the hardware interprets the field as a relative offset.
// fix: use a relative offset, or swizzle_128b with K-major matrices and base offset 0

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
