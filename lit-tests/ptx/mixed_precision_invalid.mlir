// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @flush(%h : f16, %f : f32) {
  // CHECK: error: expected bf16 or f16 as source; found f64
  %a = ptx.add.mixed f32 f64 %h, %f
  ptx.ret
}

// -----

ptx.kernel @types(%h : f16, %f : f32) {
  // CHECK: error[T5-PTX-080]: ptx.sub.mixed: PTX operand c with .f32 must be f32; found f16
  %a = ptx.sub.mixed f32 f16 %h, %h
  ptx.ret
}
