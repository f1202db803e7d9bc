ptx.kernel @example(%x : f32) {
  %integer = ptx.cvt s32 f32 %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : f32) {
  %integer = ptx.cvt rzi s32 f32 %x
  ptx.ret
}
