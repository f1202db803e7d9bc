// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @mma(%x : i32, %f : f32, %z : f64) {
  // CHECK: %d, %d_1, %d_2, %d_3 = ptx.mma.sync m16n8k16 row col f32 bf16 bf16 f32 {%x, %x, %x, %x}, {%x, %x}, {%f, %f, %f, %f} -> 4 x f32
  // PTX: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%r3, %r4, %r5, %r6}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%r2, %r2, %r2, %r2};
  %d:4 = ptx.mma.sync m16n8k16 row col f32 bf16 bf16 f32 {%x, %x, %x, %x}, {%x, %x}, {%f, %f, %f, %f} -> 4 x f32
  // CHECK-NEXT: %h, %h_1 = ptx.mma.sync m16n8k8 row col f16 f16 f16 f16 {%d, %d_1}, {%x}, {%x, %x} -> 2 x i32
  // PTX-NEXT: mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r7, %r8}, {%r3, %r4}, {%r1}, {%r1, %r1};
  %h:2 = ptx.mma.sync m16n8k8 row col f16 f16 f16 f16 {%d#0, %d#1}, {%x}, {%x, %x} -> 2 x i32
  // CHECK-NEXT: %t, %t_1, %t_2, %t_3 = ptx.mma.sync m16n8k4 row col f32 tf32 tf32 f32 {%x, %x}, {%x}, {%d, %d_1, %d_2, %d_3} -> 4 x f32
  // PTX-NEXT: mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%r9, %r10, %r11, %r12}, {%r1, %r1}, {%r1}, {%r3, %r4, %r5, %r6};
  %t:4 = ptx.mma.sync m16n8k4 row col f32 tf32 tf32 f32 {%x, %x}, {%x}, {%d#0, %d#1, %d#2, %d#3} -> 4 x f32
  // CHECK-NEXT: %q, %q_1, %q_2, %q_3, %q_4, %q_5, %q_6, %q_7 = ptx.mma.sync m8n8k4 col row f32 f16 f16 f16 {%x, %x}, {%x, %x}, {%x, %x, %x, %x} -> 8 x f32
  // PTX-NEXT: mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f16 {%r13, %r14, %r15, %r16, %r17, %r18, %r19, %r20}, {%r1, %r1}, {%r1, %r1}, {%r1, %r1, %r1, %r1};
  %q:8 = ptx.mma.sync m8n8k4 col row f32 f16 f16 f16 {%x, %x}, {%x, %x}, {%x, %x, %x, %x} -> 8 x f32
  // CHECK-NEXT: %i, %i_1, %i_2, %i_3 = ptx.mma.sync m16n8k32 row col satfinite s32 s8 u8 s32 {%x, %x, %x, %x}, {%x, %x}, {%x, %x, %x, %x} -> 4 x i32
  // PTX-NEXT: mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%r21, %r22, %r23, %r24}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%r1, %r1, %r1, %r1};
  %i:4 = ptx.mma.sync m16n8k32 row col satfinite s32 s8 u8 s32 {%x, %x, %x, %x}, {%x, %x}, {%x, %x, %x, %x} -> 4 x i32
  // CHECK-NEXT: %b, %b_1 = ptx.mma.sync m8n8k128 row col s32 b1 b1 s32 xor {%x}, {%x}, {%x, %x} -> 2 x i32
  // PTX-NEXT: mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%r25, %r26}, {%r1}, {%r1}, {%r1, %r1};
  %b:2 = ptx.mma.sync m8n8k128 row col s32 b1 b1 s32 xor {%x}, {%x}, {%x, %x} -> 2 x i32
  // CHECK-NEXT: %e, %e_1, %e_2, %e_3 = ptx.mma.sync m16n8k32 row col f32 e4m3 e5m2 f32 {%x, %x, %x, %x}, {%x, %x}, {%f, %f, %f, %f} -> 4 x f32
  // PTX-NEXT: mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%r27, %r28, %r29, %r30}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%r2, %r2, %r2, %r2};
  %e:4 = ptx.mma.sync m16n8k32 row col f32 e4m3 e5m2 f32 {%x, %x, %x, %x}, {%x, %x}, {%f, %f, %f, %f} -> 4 x f32
  // CHECK-NEXT: %w, %w_1 = ptx.mma.sync.f64 m8n8k4 f64 f64 f64 f64 {%z}, {%z}, {%z, %z} -> 2 x f64
  // PTX-NEXT: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd2, %rd3}, {%rd1}, {%rd1}, {%rd1, %rd1};
  %w:2 = ptx.mma.sync.f64 m8n8k4 f64 f64 f64 f64 {%z}, {%z}, {%z, %z} -> 2 x f64
  ptx.ret
}
