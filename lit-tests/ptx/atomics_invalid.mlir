// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @red(%p : i64, %f : f32) {
  // CHECK: error[T5-PTX-150]: ptx.red: operation max needs type s32, s64, u32 or u64; found f32
  ptx.red global max f32 [%p], %f
  ptx.ret
}

// -----

ptx.kernel @atom(%p : i64, %x : i64) {
  // CHECK: error[T5-PTX-151]: ptx.atom: operation add needs type bf16, bf16x2, f16, f16x2, f32, f64, s32, u32 or u64; found s64
  %d = ptx.atom global add s64 [%p], %x
  ptx.ret
}

// -----

ptx.kernel @red_vector(%p : i64, %f : f32) {
  // CHECK: error[T5-PTX-152]: ptx.red.vector: type f32 needs values 2 or 4; found 8
  ptx.red.vector global add f32 [%p], {%f, %f, %f, %f, %f, %f, %f, %f}
  ptx.ret
}

// -----

ptx.kernel @atom_vector(%p : i64, %f : f32) {
  // CHECK: error[T5-PTX-153]: ptx.atom.vector: values 2 needs old 2; found 4
  %d:4 = ptx.atom.vector global add f32 [%p], {%f, %f} -> 4 x f32
  ptx.ret
}

// -----

ptx.kernel @cached(%s : i32, %x : i32, %policy : i64) {
  // CHECK: error[T5-PTX-154]: ptx.red: space shared needs cache_policy 0; found 1
  ptx.red shared add u32 cache_policy(%policy) [%s], %x
  ptx.ret
}
