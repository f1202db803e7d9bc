// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @circular(%f : f32, %d : f64) {
  // CHECK: %sine = ptx.sin ftz f32 %f
  // PTX: sin.approx.ftz.f32 %r2, %r1;
  %sine = ptx.sin ftz f32 %f
  // CHECK-NEXT: %cosine = ptx.cos f32 %f
  // PTX-NEXT: cos.approx.f32 %r3, %r1;
  %cosine = ptx.cos f32 %f
  // CHECK-NEXT: %root = ptx.rsqrt f64 %d
  // PTX-NEXT: rsqrt.approx.f64 %rd2, %rd1;
  %root = ptx.rsqrt f64 %d
  ptx.ret
}
