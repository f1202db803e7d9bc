ptx.kernel @example(%p : i64) {
  %v:3 = ptx.ld global b32 [%p] -> 3 x i32
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64) {
  %v:4 = ptx.ld global b32 [%p] -> 4 x i32
  ptx.ret
}
