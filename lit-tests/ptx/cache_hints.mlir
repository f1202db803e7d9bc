// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @hints(%p : i64) {
  // CHECK: ptx.prefetchu [%p]
  // PTX: prefetchu.L1 [%rd1];
  ptx.prefetchu [%p]
  // CHECK-NEXT: ptx.applypriority [%p]
  // PTX-NEXT: applypriority.L2::evict_normal [%rd1], 128;
  ptx.applypriority [%p]
  // CHECK-NEXT: ptx.applypriority global [%p + 128]
  // PTX-NEXT: applypriority.global.L2::evict_normal [%rd1+128], 128;
  ptx.applypriority global [%p + 128]
  // CHECK-NEXT: ptx.discard global [%p]
  // PTX-NEXT: discard.global.L2 [%rd1], 128;
  ptx.discard global [%p]
  // CHECK-NEXT: ptx.discard [%p + 256]
  // PTX-NEXT: discard.L2 [%rd1+256], 128;
  ptx.discard [%p + 256]
  ptx.ret
}
