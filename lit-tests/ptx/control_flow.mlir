// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --match-full-lines --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @branch(%x : i32) {
  %seven = ptx.constant 7 : i32
  // A branch to the block that follows costs nothing, and its label is not printed.
  // CHECK: ptx.bra ^next
  // GENERIC: "ptx.bra"() [^next] : () -> ()
  ptx.bra ^next
// CHECK-NEXT: ^next:
^next:
  // CHECK-NEXT: ptx.bra ^end(%x, %seven : i32, i32)
  // GENERIC: "ptx.bra"(%x, %seven) [^end] : (i32, i32) -> ()
  // PTX: ld.param.b32 %r1, [branch_param_0];
  // PTX-NEXT: mov.b32 %r[[CONSTANT:[0-9]+]], 7;
  // PTX-NEXT: mov.b32 %r[[COPY:[0-9]+]], %r1;
  ptx.bra ^end(%x, %seven : i32, i32)
// CHECK-NEXT: ^end(%a: i32, %b: i32):
^end(%a : i32, %b : i32):
  // PTX-NEXT: nanosleep.u32 %r[[COPY]];
  ptx.nanosleep %a
  // PTX-NEXT: nanosleep.u32 %r[[CONSTANT]];
  ptx.nanosleep %b
  // CHECK: ptx.ret
  // GENERIC: "ptx.ret"() : () -> ()
  // PTX-NEXT: ret;
  // PTX-NEXT: }
  ptx.ret
}

ptx.kernel @conditional(%x : i32, %y : i32) {
  // PTX: setp.lt.s32 %p1, %r1, %r2;
  %p = ptx.setp lt s32 %x, %y
  // CHECK: ptx.cond_bra %p, ^less, ^not_less
  // GENERIC: "ptx.cond_bra"(%p) [^less, ^not_less] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  // PTX-NEXT: @!%p1 bra [[NOT_LESS:[$]L__[0-9]+]];
  ptx.cond_bra %p, ^less, ^not_less
^less:
  // CHECK: ptx.exit
  // GENERIC: "ptx.exit"() : () -> ()
  // PTX-NEXT: exit;
  ptx.exit
// PTX-NEXT: [[NOT_LESS]]:
^not_less:
  // CHECK: ptx.cond_bra %p, ^one(%x : i32), ^two(%x, %y : i32, i32)
  // GENERIC: "ptx.cond_bra"(%p, %x, %x, %y) [^one, ^two] <{operandSegmentSizes = array<i32: 1, 1, 2>}> : (i1, i32, i32, i32) -> ()
  // PTX-NEXT: @!%p1 bra [[ELSE:[$]L__[0-9]+]];
  // PTX-NEXT: mov.b32 %r[[A:[0-9]+]], %r1;
  // PTX-NEXT: bra [[ONE:[$]L__[0-9]+]];
  // PTX-NEXT: [[ELSE]]:
  // PTX-NEXT: mov.b32 %r[[C:[0-9]+]], %r2;
  // PTX-NEXT: mov.b32 %r{{[0-9]+}}, %r1;
  // PTX-NEXT: bra [[TWO:[$]L__[0-9]+]];
  ptx.cond_bra %p, ^one(%x : i32), ^two(%x, %y : i32, i32)
// PTX-NEXT: [[ONE]]:
^one(%a : i32):
  // PTX-NEXT: nanosleep.u32 %r[[A]];
  ptx.nanosleep %a
  // CHECK: ptx.brkpt
  // PTX-NEXT: brkpt;
  ptx.brkpt
  // CHECK-NEXT: ptx.trap_here
  // PTX-NEXT: trap;
  ptx.trap_here
  // CHECK-NEXT: ptx.trap
  // GENERIC: "ptx.trap"() : () -> ()
  // PTX-NEXT: trap;
  ptx.trap
// PTX-NEXT: [[TWO]]:
^two(%b : i32, %c : i32):
  // PTX-NEXT: nanosleep.u32 %r[[C]];
  ptx.nanosleep %c
  // CHECK: ptx.cond_bra %p, ^end, ^three(%c : i32) {user.likely}
  // PTX-NEXT: @%p1 bra [[END:[$]L__[0-9]+]];
  // PTX-NEXT: mov.b32 %r[[D:[0-9]+]], %r[[C]];
  ptx.cond_bra %p, ^end, ^three(%c : i32) {user.likely}
^three(%d : i32):
  // PTX-NEXT: nanosleep.u32 %r[[D]];
  ptx.nanosleep %d
  ptx.bra ^end
// PTX-NEXT: [[END]]:
^end:
  // CHECK: ptx.ret {user.note = "attributes stay"}
  // PTX-NEXT: ret;
  ptx.ret {user.note = "attributes stay"}
}

// PTX-LABEL: .visible .entry table(
ptx.kernel @table(%x : i32) {
  %seven = ptx.constant 7 : i32
  // CHECK: ptx.brx %x, [^a, ^b(%x, %seven : i32, i32), ^a] {user.note}
  // GENERIC: "ptx.brx"(%x, %x, %seven) [^a, ^b, ^a] <{counts = array<i32: 0, 2, 0>}> {user.note} : (i32, i32, i32) -> ()
  // PTX: [[TABLE:[$]L__[0-9]+]]:
  // PTX-NEXT: .branchtargets [[A:[$]L__[0-9]+]], [[MOVES:[$]L__[0-9]+]], [[A]];
  // PTX-NEXT: brx.idx %r1, [[TABLE]];
  ptx.brx %x, [^a, ^b(%x, %seven : i32, i32), ^a] {user.note}
// PTX-NEXT: [[A]]:
^a:
  // CHECK: ptx.bra uniform ^end
  // GENERIC: "ptx.bra"() [^end] <{uniform}> : () -> ()
  // PTX-NEXT: bra.uni [[END:[$]L__[0-9]+]];
  ptx.bra uniform ^end
// PTX-NEXT: [[B:[$]L__[0-9]+]]:
^b(%one : i32, %two : i32):
  // PTX-NEXT: nanosleep.u32 %r[[ONE:[0-9]+]];
  ptx.nanosleep %one
  // PTX-NEXT: nanosleep.u32 %r[[TWO:[0-9]+]];
  ptx.nanosleep %two
  // CHECK: ptx.brx uniform %one, [^end]
  // PTX: brx.idx.uni %r[[ONE]], {{.*}};
  ptx.brx uniform %one, [^end]
// PTX-NEXT: [[END]]:
^end:
  %p = ptx.setp lt s32 %x, %seven
  // CHECK: ptx.cond_bra uniform %p, ^end, ^last
  // PTX: @%p1 bra.uni [[END]];
  ptx.cond_bra uniform %p, ^end, ^last
^last:
  // PTX-NEXT: ret;
  // The moves of an edge of a table are behind the code.
  // PTX-NEXT: [[MOVES]]:
  // PTX: bra [[B]];
  ptx.ret
}

ptx.kernel @events(%x : i32) {
  // CHECK: ptx.pmevent 3
  // PTX: pmevent 3;
  ptx.pmevent 3
  // CHECK-NEXT: ptx.pmevent.mask 5
  // PTX-NEXT: pmevent.mask 5;
  ptx.pmevent.mask 5
  ptx.ret
}
