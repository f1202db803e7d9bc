// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @ptx_240(%p : i64, %x : i32, %d : i64) {
  // CHECK: error[T5-PTX-240]: ptx.multimem.ld_reduce: type u32 needs values 1; found 2
  %v:2 = ptx.multimem.ld_reduce add u32 [%p] -> 2 x i32
  ptx.ret
}

// -----

ptx.kernel @ptx_241(%p : i64, %x : i32, %d : i64) {
  // CHECK: error[T5-PTX-241]: ptx.multimem.st: type u64 needs values 1; found 2
  ptx.multimem.st u64 [%p], {%d, %d}
  ptx.ret
}

// -----

ptx.kernel @ptx_242(%p : i64, %x : i32, %d : i64) {
  // CHECK: error[T5-PTX-242]: ptx.multimem.red: type f16x2 needs values 1, 2 or 4; found 3
  ptx.multimem.red add f16x2 [%p], {%x, %x, %x}
  ptx.ret
}

// -----

ptx.kernel @ptx_243(%p : i64, %x : i32, %d : i64) {
  // CHECK: error[T5-PTX-243]: ptx.multimem.ld_reduce: semantics relaxed needs scope cluster, cta, gpu or sys; found none
  %v = ptx.multimem.ld_reduce relaxed add u32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @ptx_244(%p : i64, %x : i32, %d : i64) {
  // CHECK: error[T5-PTX-244]: ptx.multimem.st: semantics weak takes no scope; found gpu
  ptx.multimem.st weak gpu u32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @ptx_245(%p : i64, %x : i32, %d : i64) {
  // CHECK: error[T5-PTX-245]: ptx.multimem.red: semantics relaxed needs scope cluster, cta, gpu or sys; found none
  ptx.multimem.red relaxed add u32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @ptx_246(%p : i64, %x : i32, %d : i64) {
  // CHECK: error[T5-PTX-246]: ptx.multimem.ld_reduce: operation max needs type bf16, bf16x2, e4m3x2, e4m3x4, e5m2x2, e5m2x4, f16, f16x2, s32, s64, u32 or u64; found f32
  %v = ptx.multimem.ld_reduce max f32 [%p] -> f32
  ptx.ret
}

// -----

ptx.kernel @ptx_247(%p : i64, %x : i32, %d : i64) {
  // CHECK: error[T5-PTX-247]: ptx.multimem.red: operation and needs type b32 or b64; found u32
  ptx.multimem.red and u32 [%p], {%x}
  ptx.ret
}
