ptx.kernel @example(%p : i64) {
  ptx.prefetch local "L2::evict_last" [%p]
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64) {
  ptx.prefetch local L2 [%p]
  ptx.ret
}
