ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  %v = ptx.multimem.ld_reduce relaxed add u32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  %v = ptx.multimem.ld_reduce relaxed gpu add u32 [%p] -> i32
  ptx.ret
}
