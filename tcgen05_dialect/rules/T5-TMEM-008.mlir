// T5-TMEM-008
// section: 9.7.16.10.9.1
// subject: D and the operands of an MMA in tensor memory
// statement: D of an MMA shares no column with A, the metadata or the scale factors of the same
//     MMA.
// why: The MMA writes D while it reads its operands, in no defined order.
// fix: give D columns of its own

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%d : i32, %tile : i32, %b : i64, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    // Instruction descriptor: f16, f16 x f16 -> f32, 128x128.
    %idesc = ptx.constant 0x8200010 : i32
    %c64 = ptx.constant 64 : i32
    %a = ptx.add s32 %d, %c64
    ptx.tcgen05.mma cta_group_1 f16 [%d], [%a], %b, %idesc, %p
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%d : i32, %tile : i32, %b : i64, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    // Instruction descriptor: f16, f16 x f16 -> f32, 128x128.
    %idesc = ptx.constant 0x8200010 : i32
    %c128 = ptx.constant 128 : i32
    %a = ptx.add s32 %d, %c128
    ptx.tcgen05.mma cta_group_1 f16 [%d], [%a], %b, %idesc, %p
    ptx.ret
  }
}
