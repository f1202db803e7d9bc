ptx.kernel @example(%p : i64, %x : i32) {
  ptx.st release global b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.st release gpu global b32 [%p], {%x}
  ptx.ret
}
