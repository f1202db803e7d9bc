ptx.kernel @example(%a : i16) {
  %d = ptx.cvt.packed rn satfinite f16x2 e4m3x2 %a
  ptx.ret
}

// -----

ptx.kernel @example(%a : i16) {
  %d = ptx.cvt.packed rn f16x2 e4m3x2 %a
  ptx.ret
}
