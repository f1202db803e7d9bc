// T5-PTX-245
// section: 9.7.9.14
// subject: qualifiers of multimem.red
// statement: multimem.red has a scope if and only if it has semantics that are not weak.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give a scope if and only if the access is not weak

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.red relaxed add u32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.red relaxed sys add u32 [%p], {%x}
  ptx.ret
}
