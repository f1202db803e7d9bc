ptx.kernel @example(%x : f64) {
  %result = ptx.fma rn ftz f64 %x, %x, %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : f64) {
  %result = ptx.fma rn f64 %x, %x, %x
  ptx.ret
}
