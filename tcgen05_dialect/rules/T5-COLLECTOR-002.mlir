// T5-COLLECTOR-002
// section: 9.7.16.10.9.1
// subject: use of .ashift
// statement: .ashift needs A in tensor memory, an M that supports it, and a collector operation
//     that does not keep A.
// why: The manual leaves .ashift in other forms undefined.
// fix: use .ashift with A in tensor memory, M = {m}, and collector operation {operations}, and
//     without .ws and scale factors

ptx.kernel @example(%d : i32, %at : i32, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  ptx.tcgen05.mma cta_group_1 f16 ashift a fill [%d], [%at], %b, %idesc, %p
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %at : i32, %b : i64, %idesc : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  ptx.tcgen05.mma cta_group_1 f16 ashift a lastuse [%d], [%at], %b, %idesc, %p
  ptx.ret
}
