// T5-PTX-111
// section: 9.7.12
// subject: step of a loop
// statement: A loop counts upwards by a positive step.
// why: With another step the lowered loop would not end, or not start.
// fix: count upwards, or write the loop with scf.while

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
