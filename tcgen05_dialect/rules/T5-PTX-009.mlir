ptx.kernel @example(%x : f64) {
  %magnitude = ptx.abs ftz f64 %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : f64) {
  %magnitude = ptx.abs f64 %x
  ptx.ret
}
