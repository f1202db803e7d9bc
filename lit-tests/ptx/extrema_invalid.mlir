// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @integers(%a : i32) {
  // CHECK: expected f32 as type; found s32
  %d = ptx.max3 s32 %a, %a, %a
  ptx.ret
}

// -----

ptx.kernel @registers(%a : i32) {
  // CHECK: error[T5-PTX-080]: ptx.min3: PTX operand a with .f32 must be f32; found i32
  %d = ptx.min3 f32 %a, %a, %a
  ptx.ret
}
