ptx.kernel @example(%n : i32) {
  %start = arith.constant 0 : i32
  %step = arith.constant -1 : i32
  scf.for %i = %start to %n step %step : i32 {
  }
  ptx.ret
}

// -----

ptx.kernel @example(%n : i32) {
  %start = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  scf.for %i = %start to %n step %step : i32 {
  }
  ptx.ret
}
