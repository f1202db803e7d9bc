// T5-PTX-244
// section: 9.7.9.14
// subject: qualifiers of multimem.st
// statement: multimem.st has a scope if and only if it has semantics that are not weak.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give a scope if and only if the access is not weak

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.st weak gpu u32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.st relaxed gpu u32 [%p], {%x}
  ptx.ret
}
