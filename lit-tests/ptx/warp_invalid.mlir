// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @sum_of_floats(%f : f32, %mask : i32) {
  // CHECK: error[T5-PTX-063]: ptx.redux.sync: type f32 needs operation max or min; found add
  %d = ptx.redux.sync add f32 %f, %mask
  ptx.ret
}

// -----

ptx.kernel @bits(%a : i32, %mask : i32) {
  // CHECK: error[T5-PTX-063]: ptx.redux.sync: type b32 needs operation and, or or xor; found max
  %d = ptx.redux.sync max b32 %a, %mask
  ptx.ret
}

// -----

ptx.kernel @vote(%a : i32, %mask : i32) {
  // CHECK: error[T5-PTX-080]: ptx.vote.sync: a: type of an operand or a result must be i1; found i32
  %d = ptx.vote.sync all %a, %mask
  ptx.ret
}

// -----

ptx.kernel @match(%a : i32, %mask : i32) {
  // CHECK: error[T5-PTX-080]: ptx.match.sync.any: PTX operand a with .b64 must be i64 or f64; found i32
  %d = ptx.match.sync.any b64 %a, %mask
  ptx.ret
}
