// T5-PTX-140
// section: 9.7.9.21
// subject: qualifiers of cvt of two values to packed numbers
// statement: cvt to packed numbers takes only a rounding mode and qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use rn and satfinite; for ue8m0x2, use rz or rp

ptx.kernel @example(%f : f32) {
  %d = ptx.cvt.pack_narrow rn e4m3x2 f32 %f, %f
  ptx.ret
}

// -----

ptx.kernel @example(%f : f32) {
  %d = ptx.cvt.pack_narrow rn satfinite e4m3x2 f32 %f, %f
  ptx.ret
}
