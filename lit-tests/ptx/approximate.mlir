// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @approximate(%a : f32, %h : f16, %pair : i32) {
  // CHECK: %tangent = ptx.tanh f32 %a
  // PTX: tanh.approx.f32 %r3, %r1;
  %tangent = ptx.tanh f32 %a
  // CHECK-NEXT: %half = ptx.tanh f16 %h
  // PTX-NEXT: tanh.approx.f16 %rs2, %rs1;
  %half = ptx.tanh f16 %h
  // CHECK-NEXT: %both = ptx.tanh bf16x2 %pair
  // PTX-NEXT: tanh.approx.bf16x2 %r4, %r2;
  %both = ptx.tanh bf16x2 %pair
  // CHECK-NEXT: %root = ptx.rsqrt ftz f32 %a
  // PTX-NEXT: rsqrt.approx.ftz.f32 %r5, %r1;
  %root = ptx.rsqrt ftz f32 %a
  ptx.ret
}
