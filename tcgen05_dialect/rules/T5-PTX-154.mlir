// T5-PTX-154
// section: 9.7.13.5, 9.7.13.6
// subject: cache policy of atom and red
// statement: Only atom and red in global memory have a cache policy.
// why: The L2 cache holds no shared memory; ptxas refuses the text.
// fix: leave out the cache policy

ptx.kernel @example(%p : i32, %x : i32, %policy : i64) {
  ptx.red shared add u32 cache_policy(%policy) [%p], %x
  ptx.ret
}

// -----

ptx.kernel @example(%p : i32, %x : i32, %policy : i64) {
  ptx.red shared add u32 [%p], %x
  ptx.ret
}
