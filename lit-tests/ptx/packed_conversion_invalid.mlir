// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @not_finite(%f : f32) {
  // CHECK: error[T5-PTX-140]: ptx.cvt.pack_narrow: type e4m3x2 needs saturate satfinite; found none
  %d = ptx.cvt.pack_narrow rn e4m3x2 f32 %f, %f
  ptx.ret
}

// -----

ptx.kernel @rounding(%f : f32) {
  // CHECK: error[T5-PTX-140]: ptx.cvt.pack_narrow: type ue8m0x2 needs rounding rp or rz; found rn
  %d = ptx.cvt.pack_narrow rn ue8m0x2 f32 %f, %f
  ptx.ret
}

// -----

ptx.kernel @byte(%f : f32) {
  // CHECK: error[T5-PTX-080]: ptx.cvt.pack_narrow: PTX operand d with .e2m1x2 must be i8; found i16
  %d = ptx.cvt.pack_narrow rn satfinite e2m1x2 f32 %f, %f -> i16
  ptx.ret
}

// -----

ptx.kernel @scaled_halves(%a : i16, %scale : i16) {
  // CHECK: error[T5-PTX-141]: ptx.cvt.packed: type f16x2 needs scale 0; found 1
  %d = ptx.cvt.packed rn f16x2 e4m3x2 scale(%scale) %a
  ptx.ret
}

// -----

ptx.kernel @two_values(%f : f32, %r : i32) {
  // CHECK: error[T5-PTX-142]: ptx.cvt.stochastic: values of cvt with random bits must be 4; found 2
  %d = ptx.cvt.stochastic satfinite e4m3x4 f32 {%f, %f}, %r
  ptx.ret
}
