// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @wide(%a : i16, %b : i16, %c : i32) {
  // CHECK: %eight = ptx.constant 8 : i16
  %eight = ptx.constant 8 : i16
  // CHECK-NEXT: %product = ptx.mul.wide16 u16 %a, %b
  // PTX: mul.wide.u16 %r2, %rs1, %rs2;
  %product = ptx.mul.wide16 u16 %a, %b
  // CHECK-NEXT: %sum = ptx.mad.wide16 s16 %a, %eight, %c
  // PTX-NEXT: mad.wide.s16 %r3, %rs1, 8, %r1;
  %sum = ptx.mad.wide16 s16 %a, %eight, %c
  ptx.ret
}
