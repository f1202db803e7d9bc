// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.shared_memory @response size 16 alignment 16
ptx.shared_memory @full size 8 alignment 8

ptx.kernel @clusterlaunchcontrol(%a : i32, %wide : i64) {
  // CHECK: %response = ptx.address_of @response
  %response = ptx.address_of @response
  // CHECK-NEXT: %full = ptx.address_of @full
  %full = ptx.address_of @full
  // CHECK-NEXT: ptx.clusterlaunchcontrol.try_cancel [%response], [%full]
  // PTX: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [response], [full];
  ptx.clusterlaunchcontrol.try_cancel [%response], [%full]
  // CHECK-NEXT: ptx.clusterlaunchcontrol.try_cancel "multicast::cluster::all" [%a + 16], [%full]
  // PTX-NEXT: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [%r1+16], [full];
  ptx.clusterlaunchcontrol.try_cancel "multicast::cluster::all" [%a + 16], [%full]
  // CHECK-NEXT: %opaque = ptx.ld "shared::cta" b128 [%response] -> i128
  // PTX-NEXT: ld.shared::cta.b128 %rq1, [response];
  %opaque = ptx.ld "shared::cta" b128 [%response] -> i128
  // CHECK-NEXT: %p = ptx.clusterlaunchcontrol.is_canceled %opaque
  // PTX-NEXT: clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %rq1;
  %p = ptx.clusterlaunchcontrol.is_canceled %opaque
  // CHECK-NEXT: %x = ptx.clusterlaunchcontrol.first_cta x %opaque
  // PTX-NEXT: clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r2, %rq1;
  %x = ptx.clusterlaunchcontrol.first_cta x %opaque
  // CHECK-NEXT: %all, %all_1, %all_2, %all_3 = ptx.clusterlaunchcontrol.first_cta_vector %opaque -> 4 x i32
  // PTX-NEXT: clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r3, %r4, %r5, %r6}, %rq1;
  %all:4 = ptx.clusterlaunchcontrol.first_cta_vector %opaque -> 4 x i32
  // CHECK-NEXT: %some, %some_1, %some_2, %some_3 = ptx.clusterlaunchcontrol.first_cta_vector %opaque {sinks = array<i32: 3>} -> 4 x i32
  // PTX-NEXT: clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r7, %r8, %r9, _}, %rq1;
  %some:4 = ptx.clusterlaunchcontrol.first_cta_vector %opaque {sinks = array<i32: 3>} -> 4 x i32
  // CHECK-NEXT: %copy = ptx.mov b128 %opaque
  // PTX-NEXT: mov.b128 %rq2, %rq1;
  %copy = ptx.mov b128 %opaque
  // CHECK-NEXT: %halves, %halves_1 = ptx.unpack b128 %copy -> 2 x i64
  // PTX-NEXT: mov.b128 {%rd2, %rd3}, %rq2;
  %halves:2 = ptx.unpack b128 %copy -> 2 x i64
  // CHECK-NEXT: %packed = ptx.pack b128 {%wide, %halves}
  // PTX-NEXT: mov.b128 %rq3, {%rd1, %rd2};
  %packed = ptx.pack b128 {%wide, %halves#0}
  // CHECK-NEXT: ptx.st "shared::cta" b128 [%response], {%packed}
  // PTX-NEXT: st.shared::cta.b128 [response], %rq3;
  ptx.st "shared::cta" b128 [%response], {%packed}
  ptx.ret
}
