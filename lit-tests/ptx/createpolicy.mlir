// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @createpolicy(%a : i64, %size : i32, %fraction : f32) {
  // CHECK: %half = ptx.constant 5.000000e-01 : f32
  %half = ptx.constant 0.5 : f32
  // CHECK-NEXT: %last = ptx.createpolicy.fractional "L2::evict_last"
  // PTX: createpolicy.fractional.L2::evict_last.b64 %rd2;
  %last = ptx.createpolicy.fractional "L2::evict_last"
  // CHECK-NEXT: %part = ptx.createpolicy.fractional "L2::evict_first" "L2::evict_unchanged" fraction(%half)
  // PTX-NEXT: createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %rd3, 0f3F000000;
  %part = ptx.createpolicy.fractional "L2::evict_first" "L2::evict_unchanged" fraction(%half)
  // CHECK-NEXT: %given = ptx.createpolicy.fractional "L2::evict_normal" fraction(%fraction)
  // PTX-NEXT: createpolicy.fractional.L2::evict_normal.b64 %rd4, %r2;
  %given = ptx.createpolicy.fractional "L2::evict_normal" fraction(%fraction)
  // CHECK-NEXT: %range = ptx.createpolicy.range "L2::evict_last" [%a], %size, %size
  // PTX-NEXT: createpolicy.range.global.L2::evict_last.b64 %rd5, [%rd1], %r1, %r1;
  %range = ptx.createpolicy.range "L2::evict_last" [%a], %size, %size
  // CHECK-NEXT: %generic = ptx.createpolicy.range "L2::evict_last" "L2::evict_first" [%a + 16], %size, %size {spelling = "generic"}
  // PTX-NEXT: createpolicy.range.L2::evict_last.L2::evict_first.b64 %rd6, [%rd1+16], %r1, %r1;
  %generic = ptx.createpolicy.range "L2::evict_last" "L2::evict_first" [%a + 16], %size, %size {spelling = "generic"}
  // CHECK-NEXT: %converted = ptx.createpolicy.cvt %a
  // PTX-NEXT: createpolicy.cvt.L2.b64 %rd7, %rd1;
  %converted = ptx.createpolicy.cvt %a
  ptx.ret
}
