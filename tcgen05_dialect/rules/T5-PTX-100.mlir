ptx.kernel @example(%out : i64) {
  ptx.st global b32 [%out], {%x}
  %x = ptx.constant 1 : i32
  ptx.ret
}

// -----

ptx.kernel @example(%out : i64) {
  %x = ptx.constant 1 : i32
  ptx.st global b32 [%out], {%x}
  ptx.ret
}
