// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @k(%n : i32, %x : f32) {
  // CHECK: error[T5-WS-018]: ws.keep_first: the type of the other number must be f16, as the elements have; found f32
  %v = arith.constant dense<0.0> : vector<4xf16>
  %kept = ws.keep_first %n of %v else %x
  ptx.ret
}

// -----

ptx.kernel @k(%n : i32, %x : f32) {
  // CHECK: error[T5-WS-018]: ws.keep_first: what a thread holds must be a vector with one dimension, such as vector<32xf32>; found vector<2x2xf32>
  %v = arith.constant dense<0.0> : vector<2x2xf32>
  %kept = ws.keep_first %n of %v else %x
  ptx.ret
}

// -----

ptx.kernel @k(%n : i32, %x : f32) {
  %v = arith.constant dense<0.0> : vector<4xf32>
  // CHECK: error[T5-WS-018]: ws.keep_first: the type of the result must be vector<4xf32>, as the operand has; found vector<8xf32>
  %kept = "ws.keep_first"(%n, %v, %x) : (i32, vector<4xf32>, f32) -> vector<8xf32>
  ptx.ret
}
