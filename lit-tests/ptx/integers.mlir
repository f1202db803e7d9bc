// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @integers(%x : i32, %y : i32, %w : i64, %n : i16) {
  // CHECK: %sad = ptx.sad s32 %x, %y, %x
  // PTX: sad.s32 %r3, %r1, %r2, %r1;
  %sad = ptx.sad s32 %x, %y, %x
  // CHECK-NEXT: %high = ptx.mad.hi u64 %w, %w, %w
  // PTX-NEXT: mad.hi.u64 %rd2, %rd1, %rd1, %rd1;
  %high = ptx.mad.hi u64 %w, %w, %w
  // CHECK-NEXT: %product = ptx.mul24 lo u32 %x, %y
  // PTX-NEXT: mul24.lo.u32 %r4, %r1, %r2;
  %product = ptx.mul24 lo u32 %x, %y
  // CHECK-NEXT: %sum = ptx.mad24 hi s32 %x, %y, %x
  // PTX-NEXT: mad24.hi.s32 %r5, %r1, %r2, %r1;
  %sum = ptx.mad24 hi s32 %x, %y, %x
  // CHECK-NEXT: %dot = ptx.dp2a lo s32 u32 %x, %y, %x
  // PTX-NEXT: dp2a.lo.s32.u32 %r6, %r1, %r2, %r1;
  %dot = ptx.dp2a lo s32 u32 %x, %y, %x
  // CHECK-NEXT: %bit = ptx.fns %x, %y, %x
  // PTX-NEXT: fns.b32 %r7, %r1, %r2, %r1;
  %bit = ptx.fns %x, %y, %x
  // CHECK-NEXT: %zero = ptx.cnot b16 %n
  // PTX-NEXT: cnot.b16 %rs2, %rs1;
  %zero = ptx.cnot b16 %n
  // CHECK-NEXT: %limited = ptx.add.sat s32 %x, %y
  // PTX-NEXT: add.sat.s32 %r8, %r1, %r2;
  %limited = ptx.add.sat s32 %x, %y
  // CHECK-NEXT: %less = ptx.sub.sat s32 %x, %y
  // PTX-NEXT: sub.sat.s32 %r9, %r1, %r2;
  %less = ptx.sub.sat s32 %x, %y
  // CHECK-NEXT: %sums = ptx.add.packed u16x2 %x, %y
  // PTX-NEXT: add.u16x2 %r10, %r1, %r2;
  %sums = ptx.add.packed u16x2 %x, %y
  // CHECK-NEXT: %least = ptx.min.packed s16x2 %x, %y
  // PTX-NEXT: min.s16x2 %r11, %r1, %r2;
  %least = ptx.min.packed s16x2 %x, %y
  // CHECK-NEXT: %greatest = ptx.max.packed u16x2 %x, %y
  // PTX-NEXT: max.u16x2 %r12, %r1, %r2;
  %greatest = ptx.max.packed u16x2 %x, %y
  // CHECK-NEXT: %positive = ptx.min.relu s16x2 %x, %y
  // PTX-NEXT: min.relu.s16x2 %r13, %r1, %r2;
  %positive = ptx.min.relu s16x2 %x, %y
  // CHECK-NEXT: %most = ptx.max.relu s32 %x, %y
  // PTX-NEXT: max.relu.s32 %r14, %r1, %r2;
  %most = ptx.max.relu s32 %x, %y
  ptx.ret
}

ptx.kernel @saturating(%x : i32, %y : i32) {
  // CHECK: %high = ptx.mad.hi.sat s32 %x, %y, %x
  // PTX: mad.hi.sat.s32 %r3, %r1, %r2, %r1;
  %high = ptx.mad.hi.sat s32 %x, %y, %x
  // CHECK-NEXT: %short = ptx.mad24.sat s32 %x, %y, %x
  // PTX-NEXT: mad24.hi.sat.s32 %r4, %r1, %r2, %r1;
  %short = ptx.mad24.sat s32 %x, %y, %x
  // CHECK-NEXT: %signed = ptx.szext clamp s32 %x, %y
  // PTX-NEXT: szext.clamp.s32 %r5, %r1, %r2;
  %signed = ptx.szext clamp s32 %x, %y
  // CHECK-NEXT: %unsigned = ptx.szext wrap u32 %x, %y
  // PTX-NEXT: szext.wrap.u32 %r6, %r1, %r2;
  %unsigned = ptx.szext wrap u32 %x, %y
  // CHECK-NEXT: %mask = ptx.bmsk clamp %x, %y
  // PTX-NEXT: bmsk.clamp.b32 %r7, %r1, %r2;
  %mask = ptx.bmsk clamp %x, %y
  ptx.ret
}
