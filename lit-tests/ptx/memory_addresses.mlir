// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @addresses(%p : i64, %s : i32, %rank : i32) {
  // CHECK: %peer = ptx.mapa.generic %p, %rank
  // PTX: mapa.u64 %rd2, %rd1, %r2;
  %peer = ptx.mapa.generic %p, %rank
  // CHECK-NEXT: %owner = ptx.getctarank %s
  // PTX-NEXT: getctarank.shared::cluster.u32 %r3, %r1;
  %owner = ptx.getctarank %s
  // CHECK-NEXT: %holder = ptx.getctarank.generic %peer
  // PTX-NEXT: getctarank.u64 %r4, %rd2;
  %holder = ptx.getctarank.generic %peer
  // CHECK-NEXT: ptx.prefetch global L1 [%p]
  // PTX-NEXT: prefetch.global.L1 [%rd1];
  ptx.prefetch global L1 [%p]
  // CHECK-NEXT: ptx.prefetch local L2 [%p]
  // PTX-NEXT: prefetch.local.L2 [%rd1];
  ptx.prefetch local L2 [%p]
  // CHECK-NEXT: ptx.prefetch L2 [%p + 128]
  // PTX-NEXT: prefetch.L2 [%rd1+128];
  ptx.prefetch L2 [%p + 128]
  // CHECK-NEXT: ptx.prefetch global "L2::evict_last" [%p]
  // PTX-NEXT: prefetch.global.L2::evict_last [%rd1];
  ptx.prefetch global "L2::evict_last" [%p]
  ptx.ret
}
