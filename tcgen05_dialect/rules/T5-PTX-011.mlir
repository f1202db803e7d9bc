ptx.kernel @example(%x : f64) {
  %reciprocal = ptx.rcp approx f64 %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : f64) {
  %reciprocal = ptx.rcp approx ftz f64 %x
  ptx.ret
}
