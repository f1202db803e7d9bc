ptx.kernel @example(%p : i64, %x : f32) {
  ptx.red.vector global max f32 [%p], {%x, %x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : f32) {
  ptx.red.vector global add f32 [%p], {%x, %x}
  ptx.ret
}
