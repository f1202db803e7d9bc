ptx.kernel @example(%x : f64) {
  %root = ptx.sqrt approx f64 %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : f64) {
  %root = ptx.sqrt rn f64 %x
  ptx.ret
}
