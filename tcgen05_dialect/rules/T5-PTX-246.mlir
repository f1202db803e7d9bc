ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  %v = ptx.multimem.ld_reduce max f32 [%p] -> f32
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  %v = ptx.multimem.ld_reduce add f32 [%p] -> f32
  ptx.ret
}
