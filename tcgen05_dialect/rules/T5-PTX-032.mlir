ptx.kernel @example(%p : i64, %x : i32) {
  ptx.st global b32 [%p], {%x, %x, %x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.st global b32 [%p], {%x, %x, %x, %x}
  ptx.ret
}
