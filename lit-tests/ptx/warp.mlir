// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @warp(%a : i32, %wide : i64, %f : f32, %mask : i32) {
  // CHECK: %zero = ptx.constant 0 : i32
  %zero = ptx.constant 0 : i32
  // CHECK-NEXT: %p = ptx.setp eq u32 %a, %zero
  // PTX: setp.eq.u32 %p1, %r1, 0;
  %p = ptx.setp eq u32 %a, %zero
  // CHECK-NEXT: %all = ptx.vote.sync all %p, %mask
  // PTX-NEXT: vote.sync.all.pred %p2, %p1, %r3;
  %all = ptx.vote.sync all %p, %mask
  // CHECK-NEXT: %votes = ptx.vote.sync.ballot %p, %mask
  // PTX-NEXT: vote.sync.ballot.b32 %r4, %p1, %r3;
  %votes = ptx.vote.sync.ballot %p, %mask
  // CHECK-NEXT: %same = ptx.match.sync.any b32 %a, %mask
  // PTX-NEXT: match.any.sync.b32 %r5, %r1, %r3;
  %same = ptx.match.sync.any b32 %a, %mask
  // CHECK-NEXT: %every, %agree = ptx.match.sync.all b64 %wide, %mask
  // PTX-NEXT: match.all.sync.b64 %r6|%p3, %rd1, %r3;
  %every, %agree = ptx.match.sync.all b64 %wide, %mask
  // CHECK-NEXT: %sum = ptx.redux.sync add s32 %a, %mask
  // PTX-NEXT: redux.sync.add.s32 %r7, %r1, %r3;
  %sum = ptx.redux.sync add s32 %a, %mask
  // CHECK-NEXT: %least = ptx.redux.sync min abs NaN f32 %f, %mask
  // PTX-NEXT: redux.sync.min.abs.NaN.f32 %r8, %r2, %r3;
  %least = ptx.redux.sync min abs NaN f32 %f, %mask
  // CHECK-NEXT: %active = ptx.activemask
  // PTX-NEXT: activemask.b32 %r9;
  %active = ptx.activemask
  ptx.ret
}

ptx.kernel @all(%a : i32, %mask : i32) {
  // CHECK: %every, %agree = ptx.match.sync.all b32 %a, %mask {spelling = "no_predicate"}
  // PTX: match.all.sync.b32 %r3, %r1, %r2;
  %every, %agree = ptx.match.sync.all b32 %a, %mask {spelling = "no_predicate"}
  ptx.ret
}
