// T5-PTX-040
// section: 9.7.13.15.13
// subject: qualifiers of mbarrier.arrive
// statement: mbarrier.arrive has both semantics and scope, or neither.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give both semantics and scope, or neither

ptx.kernel @example(%barrier : i32) {
  ptx.mbarrier.arrive release [%barrier]
  ptx.ret
}

// -----

ptx.kernel @example(%barrier : i32) {
  ptx.mbarrier.arrive release cluster [%barrier]
  ptx.ret
}
