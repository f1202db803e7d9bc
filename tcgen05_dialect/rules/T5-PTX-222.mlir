// T5-PTX-222
// section: 9.7.13.7
// subject: operation of red.async
// statement: The operation of red.async determines its legal types.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a type that the operation allows

ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  ptx.red.async min u64 [%to], %d, [%full]
  ptx.ret
}

// -----

ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  ptx.red.async min u32 [%to], %x, [%full]
  ptx.ret
}
