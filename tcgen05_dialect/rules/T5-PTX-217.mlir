// T5-PTX-217
// section: 9.7.13.15.12
// subject: qualifiers of mbarrier.complete_tx
// statement: mbarrier.complete_tx has both semantics and scope, or neither.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give both semantics and scope, or neither

ptx.kernel @example(%b : i32, %n : i32) {
  ptx.mbarrier.complete_tx relaxed [%b], %n
  ptx.ret
}

// -----

ptx.kernel @example(%b : i32, %n : i32) {
  ptx.mbarrier.complete_tx relaxed cluster [%b], %n
  ptx.ret
}
