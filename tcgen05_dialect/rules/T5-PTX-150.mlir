ptx.kernel @example(%p : i64, %x : f32) {
  ptx.red global max f32 [%p], %x
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : f32) {
  ptx.red global add f32 [%p], %x
  ptx.ret
}
