// RUN: tcgen05-opt %s | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && tcgen05-opt %t.mlir | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx
// RUN: tcgen05 import %t.ptx -o %t.mlir && tcgen05-opt %t.mlir -t ptx | filecheck %s --match-full-lines --check-prefix PTX

ptx.kernel @sums(%x : i32, %y : i32, %w : i64) {
  // CHECK: %low, %carry = ptx.add.cc u32 %x, %y
  // PTX: add.cc.u32 %r3, %r1, %r2;
  %low, %carry = ptx.add.cc u32 %x, %y
  // CHECK-NEXT: %middle, %carry_1 = ptx.addc.cc s32 %x, %y, %carry
  // PTX-NEXT: addc.cc.s32 %r4, %r1, %r2;
  %middle, %carry_1 = ptx.addc.cc s32 %x, %y, %carry
  // CHECK-NEXT: %both = ptx.xor b32 %low, %middle
  // PTX-NEXT: xor.b32 %r5, %r3, %r4;
  %both = ptx.xor b32 %low, %middle
  // CHECK-NEXT: %high = ptx.addc u64 %w, %w, %carry_1
  // PTX-NEXT: addc.u64 %rd2, %rd1, %rd1;
  %high = ptx.addc u64 %w, %w, %carry_1
  // CHECK-NEXT: %rest, %borrow = ptx.sub.cc u32 %x, %y
  // PTX-NEXT: sub.cc.u32 %r6, %r1, %r2;
  %rest, %borrow = ptx.sub.cc u32 %x, %y
  // CHECK-NEXT: %rest_1, %borrow_1 = ptx.subc.cc u32 %x, %y, %borrow
  // PTX-NEXT: subc.cc.u32 %r7, %r1, %r2;
  %rest_1, %borrow_1 = ptx.subc.cc u32 %x, %y, %borrow
  // CHECK-NEXT: %rest_2 = ptx.subc s64 %w, %w, %borrow_1
  // PTX-NEXT: subc.s64 %rd3, %rd1, %rd1;
  %rest_2 = ptx.subc s64 %w, %w, %borrow_1
  // CHECK-NEXT: %a, %carry_2 = ptx.mad.cc lo u32 %x, %y, %x
  // PTX-NEXT: mad.lo.cc.u32 %r8, %r1, %r2, %r1;
  %a, %carry_2 = ptx.mad.cc lo u32 %x, %y, %x
  // CHECK-NEXT: %b, %carry_3 = ptx.madc.cc hi s32 %x, %y, %x, %carry_2
  // PTX-NEXT: madc.hi.cc.s32 %r9, %r1, %r2, %r1;
  %b, %carry_3 = ptx.madc.cc hi s32 %x, %y, %x, %carry_2
  // CHECK-NEXT: %c = ptx.madc lo u64 %w, %w, %w, %carry_3
  // PTX-NEXT: madc.lo.u64 %rd4, %rd1, %rd1, %rd1;
  %c = ptx.madc lo u64 %w, %w, %w, %carry_3
  ptx.ret
}

// A carry may pass from block to block, and an instruction that sets it may be guarded.
ptx.kernel @blocks(%x : i32, %y : i32, %p : i32) {
  %c0 = ptx.constant 0 : i32
  %holds = ptx.setp eq u32 %p, %c0
  %low, %carry = ptx.add.cc u32 %x, %y
  // CHECK: ptx.cond_bra %holds, ^last(%carry : !ptx.carry), ^again
  // PTX: @%p1 bra $L__1;
  ptx.cond_bra %holds, ^last(%carry : !ptx.carry), ^again
^again:
  // PTX-NEXT: addc.cc.u32 %r5, %r1, %r2;
  %next, %carry_1 = ptx.addc.cc u32 %x, %y, %carry
  ptx.bra ^last(%carry_1 : !ptx.carry)
^last(%passed : !ptx.carry):
  // PTX-NEXT: $L__1:
  // PTX-NEXT: @%p1 sub.cc.u32 %r4, %r1, %r2;
  %rest, %kept = ptx.guard %holds else (%low, %passed : i32, !ptx.carry) {
    %inner, %borrow = ptx.sub.cc u32 %x, %y
    ptx.yield %inner, %borrow : i32, !ptx.carry
  }
  // PTX-NEXT: addc.u32 %r6, %r4, %r1;
  %end = ptx.addc u32 %rest, %x, %kept
  ptx.ret
}
