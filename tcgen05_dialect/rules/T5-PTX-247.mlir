ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.red and u32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.red and b32 [%p], {%x}
  ptx.ret
}
