ptx.kernel @example(%p : i64, %x : i64) {
  %old = ptx.atom global add s64 [%p], %x
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i64) {
  %old = ptx.atom global add u64 [%p], %x
  ptx.ret
}
