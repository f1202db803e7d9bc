// T5-PTX-215
// section: 9.7.13.15.14
// subject: qualifiers of mbarrier.arrive_drop
// statement: mbarrier.arrive_drop has both semantics and scope, or neither.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give both semantics and scope, or neither

ptx.kernel @example(%b : i32, %n : i32) {
  ptx.mbarrier.arrive_drop release [%b]
  ptx.ret
}

// -----

ptx.kernel @example(%b : i32, %n : i32) {
  ptx.mbarrier.arrive_drop release cta [%b]
  ptx.ret
}
