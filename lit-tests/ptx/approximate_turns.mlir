// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.5">} {
  ptx.kernel @turns(%turns : f32) {
    // CHECK: %sine = ptx.sin.turns ftz f32 %turns
    // PTX: sin.approx.2pi.ftz.f32 %r2, %r1;
    %sine = ptx.sin.turns ftz f32 %turns
    // CHECK-NEXT: %cosine = ptx.cos.turns ftz f32 %turns
    // PTX-NEXT: cos.approx.2pi.ftz.f32 %r3, %r1;
    %cosine = ptx.cos.turns ftz f32 %turns
    ptx.ret
  }
}
