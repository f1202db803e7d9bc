// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.shared_memory @full size 16 alignment 8

ptx.kernel @drop(%remote : i32, %count : i32) {
  // CHECK: %full = ptx.address_of @full
  %full = ptx.address_of @full
  // CHECK-NEXT: %three = ptx.constant 3 : i32
  %three = ptx.constant 3 : i32
  // CHECK-NEXT: ptx.mbarrier.arrive_drop [%full]
  // PTX: mbarrier.arrive_drop.shared::cta.b64 _, [full];
  ptx.mbarrier.arrive_drop [%full]
  // CHECK-NEXT: ptx.mbarrier.arrive_drop relaxed cluster [%full + 8] count(%three)
  // PTX-NEXT: mbarrier.arrive_drop.relaxed.cluster.shared::cta.b64 _, [full+8], 3;
  ptx.mbarrier.arrive_drop relaxed cluster [%full + 8] count(%three)
  // CHECK-NEXT: ptx.mbarrier.arrive_drop [%full] {spelling = "shared"}
  // PTX-NEXT: mbarrier.arrive_drop.shared.b64 _, [full];
  ptx.mbarrier.arrive_drop [%full] {spelling = "shared"}
  // CHECK-NEXT: %s0 = ptx.mbarrier.arrive_drop.state release cta [%full] count(%count)
  // PTX-NEXT: mbarrier.arrive_drop.release.cta.shared::cta.b64 %rd1, [full], %r2;
  %s0 = ptx.mbarrier.arrive_drop.state release cta [%full] count(%count)
  // CHECK-NEXT: %s1 = ptx.mbarrier.arrive_drop.state [%full] {spelling = "shared"}
  // PTX-NEXT: mbarrier.arrive_drop.shared.b64 %rd2, [full];
  %s1 = ptx.mbarrier.arrive_drop.state [%full] {spelling = "shared"}
  // CHECK-NEXT: ptx.mbarrier.arrive_drop.remote release cluster [%remote]
  // PTX-NEXT: mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _, [%r1];
  ptx.mbarrier.arrive_drop.remote release cluster [%remote]
  // CHECK-NEXT: ptx.mbarrier.arrive_drop.expect_tx [%full], %count
  // PTX-NEXT: mbarrier.arrive_drop.expect_tx.shared::cta.b64 _, [full], %r2;
  ptx.mbarrier.arrive_drop.expect_tx [%full], %count
  // CHECK-NEXT: ptx.mbarrier.arrive_drop.expect_tx relaxed cta [%full], %three {spelling = "shared"}
  // PTX-NEXT: mbarrier.arrive_drop.expect_tx.relaxed.cta.shared.b64 _, [full], 3;
  ptx.mbarrier.arrive_drop.expect_tx relaxed cta [%full], %three {spelling = "shared"}
  // CHECK-NEXT: %s2 = ptx.mbarrier.arrive_drop.expect_tx.state [%full], %count
  // PTX-NEXT: mbarrier.arrive_drop.expect_tx.shared::cta.b64 %rd3, [full], %r2;
  %s2 = ptx.mbarrier.arrive_drop.expect_tx.state [%full], %count
  // CHECK-NEXT: ptx.mbarrier.arrive_drop.expect_tx.remote relaxed cluster [%remote + 8], %count
  // PTX-NEXT: mbarrier.arrive_drop.expect_tx.relaxed.cluster.shared::cluster.b64 _, [%r1+8], %r2;
  ptx.mbarrier.arrive_drop.expect_tx.remote relaxed cluster [%remote + 8], %count
  // CHECK-NEXT: %s3 = ptx.mbarrier.arrive.no_complete [%full], %count
  // PTX-NEXT: mbarrier.arrive.noComplete.shared::cta.b64 %rd4, [full], %r2;
  %s3 = ptx.mbarrier.arrive.no_complete [%full], %count
  // CHECK-NEXT: %s4 = ptx.mbarrier.arrive.no_complete release cta [%full], %three {spelling = "shared"}
  // PTX-NEXT: mbarrier.arrive.noComplete.release.cta.shared.b64 %rd5, [full], 3;
  %s4 = ptx.mbarrier.arrive.no_complete release cta [%full], %three {spelling = "shared"}
  // CHECK-NEXT: %s5 = ptx.mbarrier.arrive_drop.no_complete release cta [%full], %count
  // PTX-NEXT: mbarrier.arrive_drop.noComplete.release.cta.shared::cta.b64 %rd6, [full], %r2;
  %s5 = ptx.mbarrier.arrive_drop.no_complete release cta [%full], %count
  // CHECK-NEXT: ptx.mbarrier.complete_tx [%full], %count
  // PTX-NEXT: mbarrier.complete_tx.shared::cta.b64 [full], %r2;
  ptx.mbarrier.complete_tx [%full], %count
  // CHECK-NEXT: ptx.mbarrier.complete_tx relaxed cluster [%full], %three {spelling = "shared"}
  // PTX-NEXT: mbarrier.complete_tx.relaxed.cluster.shared.b64 [full], 3;
  ptx.mbarrier.complete_tx relaxed cluster [%full], %three {spelling = "shared"}
  // CHECK-NEXT: ptx.mbarrier.complete_tx.remote relaxed cluster [%remote], %count
  // PTX-NEXT: mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r1], %r2;
  ptx.mbarrier.complete_tx.remote relaxed cluster [%remote], %count
  // CHECK-NEXT: %pending = ptx.mbarrier.pending_count %s3
  // PTX-NEXT: mbarrier.pending_count.b64 %r3, %rd4;
  %pending = ptx.mbarrier.pending_count %s3
  ptx.ret
}
