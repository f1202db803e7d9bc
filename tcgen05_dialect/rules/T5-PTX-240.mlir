ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  %v:2 = ptx.multimem.ld_reduce add u32 [%p] -> 2 x i32
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  %v = ptx.multimem.ld_reduce add u32 [%p] -> i32
  ptx.ret
}
