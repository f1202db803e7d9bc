ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.st weak gpu u32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.st relaxed gpu u32 [%p], {%x}
  ptx.ret
}
