// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @mixed(%h : f16, %b : bf16, %f : f32) {
  // CHECK: %c = ptx.constant 1.000000e+00 : f16
  %c = ptx.constant 1.0 : f16
  // CHECK-NEXT: %sum = ptx.add.mixed f32 f16 %h, %f
  // PTX: add.f32.f16 %r2, %rs1, %r1;
  %sum = ptx.add.mixed f32 f16 %h, %f
  // CHECK-NEXT: %other = ptx.add.mixed rz sat f32 bf16 %b, %f
  // PTX-NEXT: add.rz.sat.f32.bf16 %r3, %rs2, %r1;
  %other = ptx.add.mixed rz sat f32 bf16 %b, %f
  // CHECK-NEXT: %rest = ptx.sub.mixed rp f32 f16 %h, %f
  // PTX-NEXT: sub.rp.f32.f16 %r4, %rs1, %r1;
  %rest = ptx.sub.mixed rp f32 f16 %h, %f
  // CHECK-NEXT: %product = ptx.fma.mixed rn f32 bf16 %b, %b, %f
  // PTX-NEXT: fma.rn.f32.bf16 %r5, %rs2, %rs2, %r1;
  %product = ptx.fma.mixed rn f32 bf16 %b, %b, %f
  // CHECK-NEXT: %limited = ptx.fma.mixed rm sat f32 f16 %h, %h, %f
  // PTX-NEXT: fma.rm.sat.f32.f16 %r6, %rs1, %rs1, %r1;
  %limited = ptx.fma.mixed rm sat f32 f16 %h, %h, %f
  ptx.ret
}
