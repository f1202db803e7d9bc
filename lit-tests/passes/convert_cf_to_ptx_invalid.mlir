// RUN: tcgen05-opt %s -p convert-cf-to-ptx --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @assertion(%a : i32) {
  %p = ptx.setp eq b32 %a, %a
  // CHECK: error[T5-PTX-104]: cf.assert: the operation has no lowering to PTX here; expected cf.br, cf.cond_br, cf.switch
  cf.assert %p, "text"
  ptx.ret
}

// -----

ptx.kernel @bytes(%a : i32) {
  %b = arith.trunci %a : i32 to i8
  // CHECK: error[T5-PTX-081]: cf.switch: type of a register must be i1, i16, f16, bf16, i32, f32, i64, f64, index; found i8
  cf.switch %b : i8, [
    default: ^default,
    7: ^default
  ]
^default:
  ptx.ret
}
