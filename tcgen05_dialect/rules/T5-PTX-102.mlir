ptx.kernel @example(%x : i32) {
  ptx.bra ^end
^end(%y : i32):
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32) {
  ptx.bra ^end(%x : i32)
^end(%y : i32):
  ptx.ret
}
