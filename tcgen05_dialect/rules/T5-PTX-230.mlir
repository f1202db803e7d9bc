ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace rank global b64 [%p], %p
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace rank global b32 [%p], %x
  ptx.ret
}
