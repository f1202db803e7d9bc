// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @sine(%d : f64) {
  // CHECK: error[T5-PTX-080]: ptx.sin: PTX operand a with .f32 must be f32; found f64
  %a = ptx.sin f32 %d
  ptx.ret
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.5">} {
  ptx.kernel @flush(%turns : f32) {
    // CHECK: error[T5-PTX-092]: ptx.cos.turns: qualifier must be ftz; found rn
    %a = "ptx.cos.turns"(%turns) <{flush = "rn", type = "f32"}> : (f32) -> f32
    ptx.ret
  }
}
