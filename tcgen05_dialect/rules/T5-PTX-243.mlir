// T5-PTX-243
// section: 9.7.9.14
// subject: qualifiers of multimem.ld_reduce
// statement: multimem.ld_reduce has a scope if and only if it has semantics that are not weak.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give a scope if and only if the access is not weak

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  %v = ptx.multimem.ld_reduce relaxed add u32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  %v = ptx.multimem.ld_reduce relaxed gpu add u32 [%p] -> i32
  ptx.ret
}
