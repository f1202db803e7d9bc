ptx.kernel @example(%p : i64) {
  %v = ptx.ld acquire global b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64) {
  %v = ptx.ld acquire gpu global b32 [%p] -> i32
  ptx.ret
}
