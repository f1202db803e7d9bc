// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @comparison(%f : f32, %h : i32, %x : i32, %d : f64) {
  // CHECK: %p = ptx.setp lt s32 %x, %h
  // PTX: setp.lt.s32 %p1, %r3, %r2;
  %p = ptx.setp lt s32 %x, %h
  // CHECK-NEXT: %q = ptx.setp_combined ge and f32 %f, %f, %p
  // PTX-NEXT: setp.ge.and.f32 %p2, %r1, %r1, %p1;
  %q = ptx.setp_combined ge and f32 %f, %f, %p
  // CHECK-NEXT: %low, %high = ptx.setp_pair gtu ftz f16x2 %h, %x
  // PTX-NEXT: setp.gtu.ftz.f16x2 %p3|%p4, %r2, %r3;
  %low, %high = ptx.setp_pair gtu ftz f16x2 %h, %x
  // CHECK-NEXT: %holds, %not = ptx.setp_pair eq xor s32 %x, %h predicate(%p)
  // PTX-NEXT: setp.eq.xor.s32 %p5|%p6, %r3, %r2, %p1;
  %holds, %not = ptx.setp_pair eq xor s32 %x, %h predicate(%p)
  // CHECK-NEXT: %skipped, %only = ptx.setp_pair ne b32 %x, %h {spelling = "other_result"}
  // PTX-NEXT: setp.ne.b32 _|%p7, %r3, %r2;
  %skipped, %only = ptx.setp_pair ne b32 %x, %h {spelling = "other_result"}
  // CHECK-NEXT: %mask = ptx.set gt u32 bf16x2 %h, %x
  // PTX-NEXT: set.gt.u32.bf16x2 %r4, %r2, %r3;
  %mask = ptx.set gt u32 bf16x2 %h, %x
  // CHECK-NEXT: %one = ptx.set eq f32 s32 %x, %h
  // PTX-NEXT: set.eq.f32.s32 %r5, %r3, %r2;
  %one = ptx.set eq f32 s32 %x, %h
  // CHECK-NEXT: %chosen = ptx.slct b32 s32 %x, %h, %x
  // PTX-NEXT: slct.b32.s32 %r6, %r3, %r2, %r3;
  %chosen = ptx.slct b32 s32 %x, %h, %x
  // CHECK-NEXT: %nan = ptx.testp notanumber f64 %d
  // PTX-NEXT: testp.notanumber.f64 %p8, %rd1;
  %nan = ptx.testp notanumber f64 %d
  // CHECK-NEXT: %signed = ptx.copysign f32 %f, %f
  // PTX-NEXT: copysign.f32 %r7, %r1, %r1;
  %signed = ptx.copysign f32 %f, %f
  ptx.ret
}

ptx.kernel @combined(%f : f32, %h : i32, %x : i32) {
  // CHECK: %p = ptx.setp lt s32 %x, %h
  // PTX: setp.lt.s32 %p1, %r3, %r2;
  %p = ptx.setp lt s32 %x, %h
  // CHECK-NEXT: %ones = ptx.set_combined lt and u32 s32 %x, %h, %p
  // PTX-NEXT: set.lt.and.u32.s32 %r4, %r3, %r2, %p1;
  %ones = ptx.set_combined lt and u32 s32 %x, %h, %p
  // CHECK-NEXT: %halves = ptx.set_combined geu xor ftz f16x2 f16x2 %x, %h, %p
  // PTX-NEXT: set.geu.xor.ftz.f16x2.f16x2 %r5, %r3, %r2, %p1;
  %halves = ptx.set_combined geu xor ftz f16x2 f16x2 %x, %h, %p
  // CHECK-NEXT: %q, %other = ptx.setp_pair lt or s32 %x, %h predicate(%p) {spelling = "first_result"}
  // PTX-NEXT: setp.lt.or.s32 %p2|_, %r3, %r2, %p1;
  %q, %other = ptx.setp_pair lt or s32 %x, %h predicate(%p) {spelling = "first_result"}
  ptx.ret
}
