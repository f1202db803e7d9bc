// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @bits(%a : i32, %b : i32, %c : i32, %wide : i64) {
  // CHECK: %four = ptx.constant 4 : i32
  %four = ptx.constant 4 : i32
  // CHECK-NEXT: %fifteen = ptx.constant 15 : i32
  %fifteen = ptx.constant 15 : i32
  // CHECK-NEXT: %field = ptx.bfe u32 %a, %four, %fifteen
  // PTX: bfe.u32 %r4, %r1, 4, 15;
  %field = ptx.bfe u32 %a, %four, %fifteen
  // CHECK-NEXT: %signed = ptx.bfe s64 %wide, %a, %b
  // PTX-NEXT: bfe.s64 %rd2, %rd1, %r1, %r2;
  %signed = ptx.bfe s64 %wide, %a, %b
  // CHECK-NEXT: %inserted = ptx.bfi b32 %a, %b, %four, %c
  // PTX-NEXT: bfi.b32 %r5, %r1, %r2, 4, %r3;
  %inserted = ptx.bfi b32 %a, %b, %four, %c
  // CHECK-NEXT: %inserted_wide = ptx.bfi b64 %wide, %wide, %four, %fifteen
  // PTX-NEXT: bfi.b64 %rd3, %rd1, %rd1, 4, 15;
  %inserted_wide = ptx.bfi b64 %wide, %wide, %four, %fifteen
  // CHECK-NEXT: %chosen = ptx.prmt %a, %b, %c
  // PTX-NEXT: prmt.b32 %r6, %r1, %r2, %r3;
  %chosen = ptx.prmt %a, %b, %c
  // CHECK-NEXT: %edge = ptx.prmt ecl %a, %b, %four
  // PTX-NEXT: prmt.b32.ecl %r7, %r1, %r2, 4;
  %edge = ptx.prmt ecl %a, %b, %four
  // CHECK-NEXT: %ones = ptx.popc b32 %a
  // PTX-NEXT: popc.b32 %r8, %r1;
  %ones = ptx.popc b32 %a
  // CHECK-NEXT: %zeros = ptx.clz b64 %wide
  // PTX-NEXT: clz.b64 %r9, %rd1;
  %zeros = ptx.clz b64 %wide
  // CHECK-NEXT: %highest = ptx.bfind s32 %a
  // PTX-NEXT: bfind.s32 %r10, %r1;
  %highest = ptx.bfind s32 %a
  // CHECK-NEXT: %shift = ptx.bfind shiftamt u64 %wide
  // PTX-NEXT: bfind.shiftamt.u64 %r11, %rd1;
  %shift = ptx.bfind shiftamt u64 %wide
  // CHECK-NEXT: %reversed = ptx.brev b32 %a
  // PTX-NEXT: brev.b32 %r12, %r1;
  %reversed = ptx.brev b32 %a
  // CHECK-NEXT: %left = ptx.shf l wrap %a, %b, %c
  // PTX-NEXT: shf.l.wrap.b32 %r13, %r1, %r2, %r3;
  %left = ptx.shf l wrap %a, %b, %c
  // CHECK-NEXT: %right = ptx.shf r clamp %a, %b, %four
  // PTX-NEXT: shf.r.clamp.b32 %r14, %r1, %r2, 4;
  %right = ptx.shf r clamp %a, %b, %four
  // CHECK-NEXT: %combined = ptx.lop3 %a, %b, %c, 150
  // PTX-NEXT: lop3.b32 %r15, %r1, %r2, %r3, 150;
  %combined = ptx.lop3 %a, %b, %c, 150
  // CHECK-NEXT: %dot = ptx.dp4a u32 s32 %a, %b, %c
  // PTX-NEXT: dp4a.u32.s32 %r16, %r1, %r2, %r3;
  %dot = ptx.dp4a u32 s32 %a, %b, %c
  // CHECK-NEXT: %distance = ptx.vabsdiff4.add u32 s32 u32 %a, %b, %c
  // PTX-NEXT: vabsdiff4.u32.s32.u32.add %r17, %r1, %r2, %r3;
  %distance = ptx.vabsdiff4.add u32 s32 u32 %a, %b, %c
  // CHECK-NEXT: %distances = ptx.vabsdiff4 s32 s32 s32 sat %a, %b, %c
  // PTX-NEXT: vabsdiff4.s32.s32.s32.sat %r18, %r1, %r2, %r3;
  %distances = ptx.vabsdiff4 s32 s32 s32 sat %a, %b, %c
  // CHECK-NEXT: %halves = ptx.vabsdiff2.add u32 u32 u32 %a, %b, %c
  // PTX-NEXT: vabsdiff2.u32.u32.u32.add %r19, %r1, %r2, %r3;
  %halves = ptx.vabsdiff2.add u32 u32 u32 %a, %b, %c
  // CHECK-NEXT: %differences = ptx.vabsdiff2 s32 u32 s32 %a, %b, %c
  // PTX-NEXT: vabsdiff2.s32.u32.s32 %r20, %r1, %r2, %r3;
  %differences = ptx.vabsdiff2 s32 u32 s32 %a, %b, %c
  ptx.ret
}

ptx.kernel @predicate(%a : i32, %b : i32) {
  // CHECK: %p = ptx.setp eq u32 %a, %b
  // PTX: setp.eq.u32 %p1, %r1, %r2;
  %p = ptx.setp eq u32 %a, %b
  // CHECK-NEXT: %d, %holds = ptx.lop3.predicate or %a, %b, %a, 63, %p
  // PTX-NEXT: lop3.or.b32 %r3|%p2, %r1, %r2, %r1, 63, %p1;
  %d, %holds = ptx.lop3.predicate or %a, %b, %a, 63, %p
  // CHECK-NEXT: %e, %holds_1 = ptx.lop3.predicate and %a, %b, %a, 128, %holds {spelling = "no_result"}
  // PTX-NEXT: lop3.and.b32 _|%p3, %r1, %r2, %r1, 128, %p2;
  %e, %holds_1 = ptx.lop3.predicate and %a, %b, %a, 128, %holds {spelling = "no_result"}
  ptx.ret
}
