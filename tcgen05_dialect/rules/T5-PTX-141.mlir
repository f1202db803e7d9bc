// T5-PTX-141
// section: 9.7.9.21
// subject: qualifiers of cvt of packed numbers
// statement: cvt of packed numbers takes only a rounding mode and qualifiers that its pair of types
//     allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the pair of types allows

ptx.kernel @example(%a : i16) {
  %d = ptx.cvt.packed rn satfinite f16x2 e4m3x2 %a
  ptx.ret
}

// -----

ptx.kernel @example(%a : i16) {
  %d = ptx.cvt.packed rn f16x2 e4m3x2 %a
  ptx.ret
}
