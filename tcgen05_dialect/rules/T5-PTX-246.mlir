// T5-PTX-246
// section: 9.7.9.14
// subject: operation of multimem.ld_reduce
// statement: The operation of multimem.ld_reduce determines its types and accumulators.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a type and an accumulator that the operation allows

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  %v = ptx.multimem.ld_reduce max f32 [%p] -> f32
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  %v = ptx.multimem.ld_reduce add f32 [%p] -> f32
  ptx.ret
}
