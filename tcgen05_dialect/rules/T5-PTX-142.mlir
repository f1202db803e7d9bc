// T5-PTX-142
// section: 9.7.9.21
// subject: values of cvt with random bits
// statement: cvt with random bits to numbers of at most 8 bits converts four values.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give four values

ptx.kernel @example(%f : f32, %random : i32) {
  %d = ptx.cvt.stochastic satfinite e4m3x4 f32 {%f, %f}, %random
  ptx.ret
}

// -----

ptx.kernel @example(%f : f32, %random : i32) {
  %d = ptx.cvt.stochastic satfinite e4m3x4 f32 {%f, %f, %f, %f}, %random
  ptx.ret
}
