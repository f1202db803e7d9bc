// T5-SWIZZLE-001
// section: 9.7.16.4.1
// subject: swizzle mode
// statement: A swizzle mode is one that the descriptor can encode.
// why: The other codes are reserved.
// fix: use the code or the name of a swizzle mode

ptx.kernel @example(%d : i32, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // A begins at byte 1024, with stride 1024 and swizzle mode 3.
  %a = ptx.constant 0x6000404000010040 : i64
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // A begins at byte 1024, with stride 1024 and swizzle mode 2.
  %a = ptx.constant 0x4000404000010040 : i64
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
  ptx.ret
}
