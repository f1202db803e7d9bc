// RUN: tcgen05-opt %s -p convert-math-to-ptx --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @unknown(%a : f32) {
  // CHECK: error[T5-PTX-104]: math.erf: the operation has no lowering to PTX here; expected math.absf, math.ceil, math.cos, math.exp, math.exp2, math.floor, math.fma, math.log, math.log2, math.roundeven, math.rsqrt, math.sin, math.sqrt, math.tanh, math.trunc
  %b = math.erf %a : f32
  ptx.ret
}

// -----

ptx.kernel @no_approximation(%a : f64) {
  // CHECK: error[T5-PTX-080]: math.exp2: type of an operand or a result must be f16, bf16 or f32; found f64
  %b = math.exp2 %a : f64
  ptx.ret
}

// -----

ptx.kernel @vector(%a : f32) {
  %v = vector.broadcast %a : f32 to vector<4xf32>
  // CHECK: error[T5-PTX-081]: math.exp2: type of a register must be i1, i16, f16, bf16, i32, f32, i64, f64, index; found vector<4xf32>
  %b = math.exp2 %v : vector<4xf32>
  ptx.ret
}
