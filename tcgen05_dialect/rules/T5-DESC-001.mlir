// T5-DESC-001
// section: 9.7.16.4.1
// subject: fixed bits of the shared memory descriptor
// statement: The fixed bits of a shared memory descriptor have their constant values.
// why: Other values select layouts that are not defined; ptxas does not check them.
// fix: set the constant field of the descriptor, and leave the other fixed bits 0

ptx.kernel @example(%d : i32, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // A begins at byte 1024, with stride 1024 and swizzle_128b. The fixed bits 46-48 are missing.
  %a = ptx.constant 0x4000004000010040 : i64
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // A begins at byte 1024, with stride 1024 and swizzle_128b.
  %a = ptx.constant 0x4000404000010040 : i64
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
  ptx.ret
}
