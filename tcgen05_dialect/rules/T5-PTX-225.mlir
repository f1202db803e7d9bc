// T5-PTX-225
// section: 9.7.9.15
// subject: cache level of prefetch
// statement: A prefetch of local memory names a cache level without a priority.
// why: The instruction has no other forms; ptxas refuses them.
// fix: prefetch local memory into L1 or L2

ptx.kernel @example(%p : i64) {
  ptx.prefetch local "L2::evict_last" [%p]
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64) {
  ptx.prefetch local L2 [%p]
  ptx.ret
}
