ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.red add f16x2 [%p], {%x, %x, %x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.red add f16x2 [%p], {%x, %x}
  ptx.ret
}
