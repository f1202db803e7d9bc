ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.st u64 [%p], {%d, %d}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.st u64 [%p], {%d}
  ptx.ret
}
