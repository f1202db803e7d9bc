// T5-PTX-033
// section: 9.7.9.8, 9.7.9.9
// subject: qualifiers of ld
// statement: ld has a scope if and only if it is relaxed or acquire; .nc and cache hints are for
//     global memory only.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give a scope if and only if the load is relaxed or acquire; use .nc and cache hints on
//     global memory only

ptx.kernel @example(%p : i64) {
  %v = ptx.ld acquire global b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64) {
  %v = ptx.ld acquire gpu global b32 [%p] -> i32
  ptx.ret
}
