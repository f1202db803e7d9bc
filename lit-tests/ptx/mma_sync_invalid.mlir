// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @registers(%x : i32) {
  // CHECK: error[T5-PTX-174]: ptx.mma.sync:
  %d:4 = ptx.mma.sync m16n8k16 row col f32 f16 f16 f32 {%x, %x}, {%x}, {%x, %x, %x, %x} -> 4 x i32
  ptx.ret
}

// -----

ptx.kernel @types(%x : i32) {
  // CHECK: error[T5-PTX-174]: ptx.mma.sync:
  %d:4 = ptx.mma.sync m16n8k16 row col f32 f16 bf16 f32 {%x, %x, %x, %x}, {%x, %x}, {%x, %x, %x, %x} -> 4 x i32
  ptx.ret
}

// -----

ptx.kernel @operation(%x : i32) {
  // CHECK: error[T5-PTX-174]: ptx.mma.sync:
  %d:2 = ptx.mma.sync m8n8k128 row col s32 b1 b1 s32 {%x}, {%x}, {%x, %x} -> 2 x i32
  ptx.ret
}

// -----

ptx.kernel @width(%z : i64, %x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.mma.sync: a: type of an operand or a result must be i32 or f32; found i64
  %d:4 = ptx.mma.sync m16n8k8 row col f32 f16 f16 f32 {%z, %z}, {%x}, {%x, %x, %x, %x} -> 4 x i32
  ptx.ret
}

// -----

ptx.kernel @f64(%z : f64) {
  // CHECK: error[T5-PTX-174]: ptx.mma.sync.f64:
  %d:2 = ptx.mma.sync.f64 m16n8k4 f64 f64 f64 f64 {%z, %z}, {%z}, {%z, %z} -> 2 x f64
  ptx.ret
}
