ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.red relaxed add u32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.red relaxed sys add u32 [%p], {%x}
  ptx.ret
}
