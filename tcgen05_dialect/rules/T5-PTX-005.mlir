ptx.kernel @example(%x : f32, %y : f32) {
  %quotient = ptx.div f32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : f32, %y : f32) {
  %quotient = ptx.div rn f32 %x, %y
  ptx.ret
}
