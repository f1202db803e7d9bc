ptx.kernel @example(%f : f32, %random : i32) {
  %d = ptx.cvt.stochastic satfinite e4m3x4 f32 {%f, %f}, %random
  ptx.ret
}

// -----

ptx.kernel @example(%f : f32, %random : i32) {
  %d = ptx.cvt.stochastic satfinite e4m3x4 f32 {%f, %f, %f, %f}, %random
  ptx.ret
}
