ptx.kernel @example(%x : i16) {
  %packed = ptx.pack b64 {%x, %x, %x}
  ptx.ret
}

// -----

ptx.kernel @example(%x : i16) {
  %packed = ptx.pack b64 {%x, %x, %x, %x}
  ptx.ret
}
