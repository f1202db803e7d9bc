// T5-PTX-034
// section: 9.7.9.11
// subject: qualifiers of st
// statement: st has a scope if and only if it is relaxed or release; cache hints are for global
//     memory only.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give a scope if and only if the store is relaxed or release; use cache hints on global
//     memory only

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.st release global b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.st release gpu global b32 [%p], {%x}
  ptx.ret
}
