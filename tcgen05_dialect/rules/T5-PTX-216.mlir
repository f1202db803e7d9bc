// T5-PTX-216
// section: 9.7.13.15.13
// subject: qualifiers of mbarrier.arrive.no_complete
// statement: mbarrier.arrive.no_complete has both semantics and scope, or neither.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give both semantics and scope, or neither

ptx.kernel @example(%b : i32, %n : i32) {
  %s = ptx.mbarrier.arrive.no_complete release [%b], %n
  ptx.ret
}

// -----

ptx.kernel @example(%b : i32, %n : i32) {
  %s = ptx.mbarrier.arrive.no_complete release cta [%b], %n
  ptx.ret
}
