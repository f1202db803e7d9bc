ptx.kernel @example(%f : f32) {
  %d = ptx.cvt.pack_narrow rn e4m3x2 f32 %f, %f
  ptx.ret
}

// -----

ptx.kernel @example(%f : f32) {
  %d = ptx.cvt.pack_narrow rn satfinite e4m3x2 f32 %f, %f
  ptx.ret
}
