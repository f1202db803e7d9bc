// T5-PTX-041
// section: 9.7.13.15.16
// subject: qualifiers of mbarrier.try_wait
// statement: mbarrier.try_wait has both semantics and scope, or neither.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give both semantics and scope, or neither

ptx.kernel @example(%barrier : i32, %parity : i32) {
  ptx.mbarrier.wait cluster [%barrier], %parity
  ptx.ret
}

// -----

ptx.kernel @example(%barrier : i32, %parity : i32) {
  ptx.mbarrier.wait acquire cluster [%barrier], %parity
  ptx.ret
}
