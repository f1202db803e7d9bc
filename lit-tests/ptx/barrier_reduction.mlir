// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @reduction(%n : i32, %x : i32) {
  // CHECK: %one = ptx.constant 1 : i32
  %one = ptx.constant 1 : i32
  // CHECK-NEXT: %p = ptx.setp eq u32 %x, %one
  // PTX: setp.eq.u32 %p1, %r2, 1;
  %p = ptx.setp eq u32 %x, %one
  // CHECK-NEXT: %all = ptx.bar.red and %one, %p
  // PTX-NEXT: bar.red.and.pred %p2, 1, %p1;
  %all = ptx.bar.red and %one, %p
  // CHECK-NEXT: %any = ptx.bar.red or %n threads(%x), %all
  // PTX-NEXT: bar.red.or.pred %p3, %r1, %r2, %p2;
  %any = ptx.bar.red or %n threads(%x), %all
  // CHECK-NEXT: %count = ptx.bar.red.popc %one threads(%x), %any
  // PTX-NEXT: bar.red.popc.u32 %r3, 1, %r2, %p3;
  %count = ptx.bar.red.popc %one threads(%x), %any
  // CHECK-NEXT: %other = ptx.bar.red and %one, %p {spelling = "barrier_cta_aligned"}
  // PTX-NEXT: barrier.cta.red.and.aligned.pred %p4, 1, %p1;
  %other = ptx.bar.red and %one, %p {spelling = "barrier_cta_aligned"}
  // CHECK-NEXT: %others = ptx.bar.red.popc %one threads(%x), %p {spelling = "barrier"}
  // PTX-NEXT: barrier.red.popc.u32 %r4, 1, %r2, %p1;
  %others = ptx.bar.red.popc %one threads(%x), %p {spelling = "barrier"}
  ptx.ret
}
