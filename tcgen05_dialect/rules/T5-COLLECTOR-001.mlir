// T5-COLLECTOR-001
// section: 9.7.16.10.9
// subject: collector buffer of the MMA
// statement: A collector qualifier consists of a buffer and an operation that the form of the MMA
//     supports.
// why: The instruction has no encoding for other combinations.
// fix: give both buffer and operation, or neither; the buffer is {ws_buffers} with .ws, and
//     {buffer} otherwise

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  ptx.tcgen05.mma cta_group_1 f16 fill [%d], %a, %b, %idesc, %p
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  ptx.tcgen05.mma cta_group_1 f16 a fill [%d], %a, %b, %idesc, %p
  ptx.ret
}
