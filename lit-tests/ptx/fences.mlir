// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @fences(%map : i64) {
  // CHECK: ptx.membar gpu
  // PTX: membar.gl;
  ptx.membar gpu
  // CHECK-NEXT: ptx.fence.proxy.alias
  // PTX-NEXT: fence.proxy.alias;
  ptx.fence.proxy.alias
  // CHECK-NEXT: ptx.fence.proxy.alias {spelling = "membar"}
  // PTX-NEXT: membar.proxy.alias;
  ptx.fence.proxy.alias {spelling = "membar"}
  // CHECK-NEXT: ptx.fence.proxy.tensormap.release gpu
  // PTX-NEXT: fence.proxy.tensormap::generic.release.gpu;
  ptx.fence.proxy.tensormap.release gpu
  // CHECK-NEXT: ptx.fence.proxy.tensormap.acquire acquire gpu [%map + 128]
  // PTX-NEXT: fence.proxy.tensormap::generic.acquire.gpu [%rd1+128], 128;
  ptx.fence.proxy.tensormap.acquire acquire gpu [%map + 128]
  // CHECK-NEXT: ptx.fence.acquire.sync_restrict
  // PTX-NEXT: fence.acquire.sync_restrict::shared::cluster.cluster;
  ptx.fence.acquire.sync_restrict
  // CHECK-NEXT: ptx.fence.release.sync_restrict
  // PTX-NEXT: fence.release.sync_restrict::shared::cta.cluster;
  ptx.fence.release.sync_restrict
  // CHECK-NEXT: ptx.fence.proxy.async.acquire
  // PTX-NEXT: fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;
  ptx.fence.proxy.async.acquire
  // CHECK-NEXT: ptx.fence.proxy.async.release
  // PTX-NEXT: fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;
  ptx.fence.proxy.async.release
  ptx.ret
}
