// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @saturating(%f : f32, %h : f16, %b : i32, %d : f64) {
  // CHECK: %sum = ptx.add rz sat f32 %f, %f
  // PTX: add.rz.sat.f32 %r3, %r1, %r1;
  %sum = ptx.add rz sat f32 %f, %f
  // CHECK-NEXT: %difference = ptx.sub sat f16 %h, %h
  // PTX-NEXT: sub.sat.f16 %rs2, %rs1, %rs1;
  %difference = ptx.sub sat f16 %h, %h
  // CHECK-NEXT: %product = ptx.mul ftz sat f16x2 %b, %b
  // PTX-NEXT: mul.ftz.sat.f16x2 %r4, %r2, %r2;
  %product = ptx.mul ftz sat f16x2 %b, %b
  // CHECK-NEXT: %fused = ptx.fma rn sat f32 %f, %f, %f
  // PTX-NEXT: fma.rn.sat.f32 %r5, %r1, %r1, %r1;
  %fused = ptx.fma rn sat f32 %f, %f, %f
  // CHECK-NEXT: %clamped = ptx.fma rn relu bf16x2 %b, %b, %b
  // PTX-NEXT: fma.rn.relu.bf16x2 %r6, %r2, %r2, %r2;
  %clamped = ptx.fma rn relu bf16x2 %b, %b, %b
  // CHECK-NEXT: %sine = ptx.sin ftz f32 %f
  // PTX-NEXT: sin.approx.ftz.f32 %r7, %r1;
  %sine = ptx.sin ftz f32 %f
  // CHECK-NEXT: %cosine = ptx.cos f32 %f
  // PTX-NEXT: cos.approx.f32 %r8, %r1;
  %cosine = ptx.cos f32 %f
  // CHECK-NEXT: %root = ptx.rsqrt f64 %d
  // PTX-NEXT: rsqrt.approx.f64 %rd2, %rd1;
  %root = ptx.rsqrt f64 %d
  ptx.ret
}
