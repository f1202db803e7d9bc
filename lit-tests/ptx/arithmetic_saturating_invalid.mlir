// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @relu(%f : f32) {
  // CHECK: error[T5-PTX-004]: ptx.fma: type f32 takes no relu; found relu
  %a = ptx.fma rn relu f32 %f, %f, %f
  ptx.ret
}

// -----

ptx.kernel @sum(%d : f64) {
  // CHECK: error[T5-PTX-001]: ptx.add: type f64 takes no saturate; found sat
  %a = ptx.add sat f64 %d, %d
  ptx.ret
}
