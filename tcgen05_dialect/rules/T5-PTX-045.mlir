// T5-PTX-045
// section: 9.7.13.15.1
// subject: barrier object
// statement: A barrier object is an aligned eight-byte word inside its variable.
// why: Barrier objects that overlap or are misaligned count wrongly or trap.
// fix: give each barrier object {object_bytes} bytes of its variable, at a multiple of
//     {object_bytes}

ptx.shared_memory @barriers size 16 alignment 8
ptx.kernel @example() {
  %one = ptx.constant 1 : i32
  %barrier = ptx.address_of @barriers + 4
  ptx.mbarrier.init [%barrier], %one
  ptx.ret
}

// -----

ptx.shared_memory @barriers size 16 alignment 8
ptx.kernel @example() {
  %one = ptx.constant 1 : i32
  %barrier = ptx.address_of @barriers + 8
  ptx.mbarrier.init [%barrier], %one
  ptx.ret
}
