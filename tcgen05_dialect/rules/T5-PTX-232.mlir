ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace.dimension box_dim global b32 [%p], 5, %x
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace.dimension box_dim global b32 [%p], 4, %x
  ptx.ret
}
