// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.shared_memory @tile size 1024 alignment 16
ptx.shared_memory @full size 8 alignment 8

ptx.kernel @cp_async(%a : i32, %from : i64, %size : i32, %policy : i64) {
  // CHECK: %tile = ptx.address_of @tile
  %tile = ptx.address_of @tile
  // CHECK-NEXT: %full = ptx.address_of @full
  %full = ptx.address_of @full
  // CHECK-NEXT: ptx.cp.async cg [%tile], [%from], 16
  // PTX: cp.async.cg.shared::cta.global [tile], [%rd1], 16;
  ptx.cp.async cg [%tile], [%from], 16
  // CHECK-NEXT: ptx.cp.async ca "L2::128B" cache_policy(%policy) [%a + 4], [%from + 8], 4 source_size(%size)
  // PTX-NEXT: cp.async.ca.shared::cta.global.L2::cache_hint.L2::128B [%r1+4], [%rd1+8], 4, %r2, %rd2;
  ptx.cp.async ca "L2::128B" cache_policy(%policy) [%a + 4], [%from + 8], 4 source_size(%size)
  // CHECK-NEXT: ptx.cp.async ca [%a], [%from], 8 source_size(%size) {spelling = "shared"}
  // PTX-NEXT: cp.async.ca.shared.global [%r1], [%rd1], 8, %r2;
  ptx.cp.async ca [%a], [%from], 8 source_size(%size) {spelling = "shared"}
  // CHECK-NEXT: ptx.cp.async.commit_group
  // PTX-NEXT: cp.async.commit_group;
  ptx.cp.async.commit_group
  // CHECK-NEXT: ptx.cp.async.wait_group 2
  // PTX-NEXT: cp.async.wait_group 2;
  ptx.cp.async.wait_group 2
  // CHECK-NEXT: ptx.cp.async.wait_all
  // PTX-NEXT: cp.async.wait_all;
  ptx.cp.async.wait_all
  // CHECK-NEXT: ptx.cp.async.mbarrier.arrive [%full]
  // PTX-NEXT: cp.async.mbarrier.arrive.shared::cta.b64 [full];
  ptx.cp.async.mbarrier.arrive [%full]
  // CHECK-NEXT: ptx.cp.async.mbarrier.arrive noinc [%full] {spelling = "shared"}
  // PTX-NEXT: cp.async.mbarrier.arrive.noinc.shared.b64 [full];
  ptx.cp.async.mbarrier.arrive noinc [%full] {spelling = "shared"}
  ptx.ret
}
