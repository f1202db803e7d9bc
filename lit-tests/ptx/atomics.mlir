// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @atomics(%p : i64, %s : i32, %x : i32, %w : i64, %f : f32, %h : f16, %n : i16, %policy : i64) {
  // CHECK: %sum = ptx.atom global add u32 [%p + 16], %x
  // PTX: atom.global.add.u32 %r4, [%rd1+16], %r2;
  %sum = ptx.atom global add u32 [%p + 16], %x
  // CHECK-NEXT: %flag = ptx.atom acq_rel sys exch b32 [%p], %x
  // PTX-NEXT: atom.acq_rel.sys.exch.b32 %r5, [%rd1], %r2;
  %flag = ptx.atom acq_rel sys exch b32 [%p], %x
  // CHECK-NEXT: %half = ptx.atom relaxed gpu global add noftz f16 [%p], %h
  // PTX-NEXT: atom.relaxed.gpu.global.add.noftz.f16 %rs3, [%rd1], %rs1;
  %half = ptx.atom relaxed gpu global add noftz f16 [%p], %h
  // CHECK-NEXT: %cached = ptx.atom global max u64 cache_policy(%policy) [%p], %w
  // PTX-NEXT: atom.global.max.L2::cache_hint.u64 %rd4, [%rd1], %rd2, %rd3;
  %cached = ptx.atom global max u64 cache_policy(%policy) [%p], %w
  // CHECK-NEXT: %near = ptx.atom "shared::cta" inc u32 [%s], %x
  // PTX-NEXT: atom.shared::cta.inc.u32 %r6, [%r1], %r2;
  %near = ptx.atom "shared::cta" inc u32 [%s], %x
  // CHECK-NEXT: %old = ptx.atom.cas acquire gpu global b32 [%p], %x, %x
  // PTX-NEXT: atom.acquire.gpu.global.cas.b32 %r7, [%rd1], %r2, %r2;
  %old = ptx.atom.cas acquire gpu global b32 [%p], %x, %x
  // CHECK-NEXT: %narrow = ptx.atom.cas b16 [%p], %n, %n
  // PTX-NEXT: atom.cas.b16 %rs4, [%rd1], %rs2, %rs2;
  %narrow = ptx.atom.cas b16 [%p], %n, %n
  // CHECK-NEXT: %vector, %vector_1 = ptx.atom.vector global add f32 [%p], {%f, %f} -> 2 x f32
  // PTX-NEXT: atom.global.add.v2.f32 {%r8, %r9}, [%rd1], {%r3, %r3};
  %vector:2 = ptx.atom.vector global add f32 [%p], {%f, %f} -> 2 x f32
  // CHECK-NEXT: ptx.red release gpu global add s32 [%p], %x
  // PTX-NEXT: red.release.gpu.global.add.s32 [%rd1], %r2;
  ptx.red release gpu global add s32 [%p], %x
  // CHECK-NEXT: ptx.red "shared::cluster" add noftz bf16x2 [%s], %x
  // PTX-NEXT: red.shared::cluster.add.noftz.bf16x2 [%r1], %r2;
  ptx.red "shared::cluster" add noftz bf16x2 [%s], %x
  // CHECK-NEXT: ptx.red global or b64 cache_policy(%policy) [%p], %w
  // PTX-NEXT: red.global.or.L2::cache_hint.b64 [%rd1], %rd2, %rd3;
  ptx.red global or b64 cache_policy(%policy) [%p], %w
  // CHECK-NEXT: ptx.red.vector relaxed sys global max noftz f16 [%p], {%h, %h, %h, %h}
  // PTX-NEXT: red.relaxed.sys.global.max.noftz.v4.f16 [%rd1], {%rs1, %rs1, %rs1, %rs1};
  ptx.red.vector relaxed sys global max noftz f16 [%p], {%h, %h, %h, %h}
  ptx.ret
}
