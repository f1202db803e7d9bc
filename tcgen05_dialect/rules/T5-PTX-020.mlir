// T5-PTX-020
// section: 9.7.9.21
// subject: qualifiers of cvt
// statement: cvt takes only a rounding mode and qualifiers that its pair of types allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the pair of types allows

ptx.kernel @example(%x : f32) {
  %integer = ptx.cvt s32 f32 %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : f32) {
  %integer = ptx.cvt rzi s32 f32 %x
  ptx.ret
}
