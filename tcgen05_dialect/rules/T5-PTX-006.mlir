ptx.kernel @example(%x : f64) {
  %least = ptx.min NaN f64 %x, %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : f64) {
  %least = ptx.min f64 %x, %x
  ptx.ret
}
