ptx.kernel @example(%p : i32, %x : i32, %policy : i64) {
  ptx.red shared add u32 cache_policy(%policy) [%p], %x
  ptx.ret
}

// -----

ptx.kernel @example(%p : i32, %x : i32, %policy : i64) {
  ptx.red shared add u32 [%p], %x
  ptx.ret
}
