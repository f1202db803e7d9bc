ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace.mode fill_mode global [%p], 2
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace.mode fill_mode global [%p], 1
  ptx.ret
}
