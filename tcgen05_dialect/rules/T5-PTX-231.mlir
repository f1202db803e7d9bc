ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace.dimension global_stride global b32 [%p], 0, %x
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace.dimension global_stride global b64 [%p], 0, %p
  ptx.ret
}
