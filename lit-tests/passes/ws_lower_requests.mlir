// RUN: tcgen05-opt %s -p tcgen05-lower-ws --split-input-file | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-ws --split-input-file | tcgen05-opt --split-input-file

// One more warp asks for tiles. All warps of the roles and this one read each response.
// CHECK: ptx.shared_memory @responses_full size 16 alignment 8
// CHECK: ptx.kernel @requests({{.*}} attributes {reqntid = array<i32: 96>} {
// CHECK: [[X:%[0-9]+]] = ptx.special_register ctaid.x
// CHECK-NEXT: [[Y:%[0-9]+]] = ptx.special_register ctaid.y
// CHECK-DAG: [[THREE:%[0-9]+]] = arith.constant 3 : i32
// CHECK-DAG: [[BYTES:%[0-9]+]] = arith.constant 16 : i32
// CHECK: ptx.mbarrier.init [%responses_empty], [[THREE]]

// The first tile is that of the CTA; others are those of responses.
// CHECK: scf.if %is_wait {
// CHECK: scf.while (%cta_x = [[X]], %cta_y = [[Y]], %responses_phase{{[^,]*}}, %responses_stage{{[^,]*}})
// CHECK: ptx.mbarrier.wait [{{.*}}], %responses_phase
// CHECK: [[RESPONSE:%[0-9]+]] = ptx.ld "shared::cta" b128
// CHECK-NEXT: [[MORE:%[0-9]+]] = ptx.clusterlaunchcontrol.is_canceled [[RESPONSE]]
// CHECK-NEXT: [[NEXT_X:%[0-9]+]] = ptx.clusterlaunchcontrol.first_cta x [[RESPONSE]]
// CHECK-NEXT: [[NEXT_Y:%[0-9]+]] = ptx.clusterlaunchcontrol.first_cta y [[RESPONSE]]
// CHECK-NEXT: ptx.fence.proxy.async "shared::cta"
// CHECK-NEXT: ptx.bar.warp.sync
// CHECK: ptx.mbarrier.arrive [{{.*}}]
// CHECK: scf.condition([[MORE]]) [[NEXT_X]], [[NEXT_Y]], %responses_phase

// CHECK: scf.if %is_requests {
// CHECK: scf.while (
// CHECK: ptx.mbarrier.wait [{{.*}}], %responses_phase
// CHECK: ptx.mbarrier.arrive.expect_tx [{{.*}}], [[BYTES]]
// CHECK: ptx.clusterlaunchcontrol.try_cancel [
// CHECK: ptx.mbarrier.wait [
// CHECK: [[MORE:%[0-9]+]] = ptx.clusterlaunchcontrol.is_canceled
// CHECK: ptx.mbarrier.arrive [
// CHECK: scf.condition([[MORE]]) %responses_phase
ptx.kernel @requests(%m : i32, %n : i32) {
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) clc {
    ws.role @wait warps(2) {
      ws.role_barrier
    }
  }
  ptx.ret
}

// -----

// One CTA of a cluster asks for all. The others tell it what they have read; only it waits for that.
// CHECK: ptx.kernel @clusters(
// CHECK-DAG: [[FOUR:%[0-9]+]] = arith.constant 4 : i32
// CHECK: ptx.mbarrier.init [%responses_empty], [[FOUR]]
// CHECK: ptx.barrier.cluster.wait aligned
// CHECK: scf.if %is_wait {
// CHECK: [[FIRST:%[0-9]+]] = ptx.mapa
// CHECK: ptx.mbarrier.arrive.remote release cluster [[[FIRST]]]
// CHECK: scf.if %is_requests {
// CHECK: [[RANK:%[0-9]+]] = ptx.special_register cluster_ctarank
// CHECK-NEXT: [[IS_FIRST:%[0-9]+]] = arith.cmpi eq, [[RANK]]
// CHECK: scf.if [[IS_FIRST]] {
// CHECK-NEXT: ptx.mbarrier.wait acquire cluster
// CHECK: ptx.mbarrier.arrive.expect_tx
// CHECK: scf.if [[IS_FIRST]] {
// CHECK-NEXT: ptx.clusterlaunchcontrol.try_cancel "multicast::cluster::all"
// CHECK: ptx.mbarrier.arrive.remote release cluster
ptx.kernel @clusters(%m : i32) attributes {cluster_dims = array<i32: 2>} {
  ws.warp_specialize tiles(%i) of (%m by 64) clc {
    ws.role @wait warps(1) {
      ws.role_barrier
    }
  }
  ptx.ret
}
