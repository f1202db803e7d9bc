// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t 'ptx{version="8.8"}' -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @extrema(%a : f32, %b : f32, %c : f32) {
  // CHECK: %greatest = ptx.max3 f32 %a, %b, %c
  // PTX: max.f32 %r4, %r1, %r2, %r3;
  %greatest = ptx.max3 f32 %a, %b, %c
  // CHECK-NEXT: %least = ptx.min3 ftz NaN f32 %a, %b, %c
  // PTX-NEXT: min.ftz.NaN.f32 %r5, %r1, %r2, %r3;
  %least = ptx.min3 ftz NaN f32 %a, %b, %c
  ptx.ret
}

ptx.kernel @of_magnitudes(%a : f32, %b : f32, %c : f32) {
  // CHECK: %greatest = ptx.max3 ftz NaN abs f32 %a, %b, %c
  // PTX: max.ftz.NaN.abs.f32 %r4, %r1, %r2, %r3;
  %greatest = ptx.max3 ftz NaN abs f32 %a, %b, %c
  ptx.ret
}
