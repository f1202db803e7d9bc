// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @sine(%d : f64) {
  // CHECK: error[T5-PTX-080]: ptx.sin: PTX operand a with .f32 must be f32; found f64
  %a = ptx.sin f32 %d
  ptx.ret
}
