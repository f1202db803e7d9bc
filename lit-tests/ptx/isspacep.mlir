// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @spaces(%p : i64, %out : i64) {
  // CHECK: %g = ptx.isspacep global %p
  // PTX: isspacep.global %p1, %rd1;
  %g = ptx.isspacep global %p
  // CHECK-NEXT: %s = ptx.isspacep shared %p
  // PTX-NEXT: isspacep.shared %p2, %rd1;
  %s = ptx.isspacep shared %p
  // CHECK-NEXT: %a = ptx.isspacep "shared::cta" %p
  // PTX-NEXT: isspacep.shared::cta %p3, %rd1;
  %a = ptx.isspacep "shared::cta" %p
  // CHECK-NEXT: %c = ptx.isspacep "shared::cluster" %p
  // PTX-NEXT: isspacep.shared::cluster %p4, %rd1;
  %c = ptx.isspacep "shared::cluster" %p
  // CHECK-NEXT: %l = ptx.isspacep local %p
  // PTX-NEXT: isspacep.local %p5, %rd1;
  %l = ptx.isspacep local %p
  // CHECK-NEXT: %k = ptx.isspacep const %p
  // PTX-NEXT: isspacep.const %p6, %rd1;
  %k = ptx.isspacep const %p
  // CHECK-NEXT: %e = ptx.isspacep param %p
  // PTX-NEXT: isspacep.param %p7, %rd1;
  %e = ptx.isspacep param %p
  // CHECK-NEXT: %f = ptx.isspacep "param::entry" %p
  // PTX-NEXT: isspacep.param::entry %p8, %rd1;
  %f = ptx.isspacep "param::entry" %p
  ptx.ret
}
