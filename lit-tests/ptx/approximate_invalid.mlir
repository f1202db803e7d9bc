// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @doubles(%a : f64) {
  // CHECK: expected bf16, bf16x2, f16, f16x2 or f32 as type; found f64
  %d = ptx.tanh f64 %a
  ptx.ret
}
