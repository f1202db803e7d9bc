// RUN: tcgen05-opt %s -p ws-lower | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

// Idle warps complete the last warpgroup, and change their registers with it.
// CHECK: ptx.kernel @registers({{.*}} attributes {reqntid = array<i32: 384>, maxnreg = 168 : i32} {
// CHECK: scf.if %is_compute {
// CHECK-NEXT: ptx.setmaxnreg inc 232
// CHECK: } else {
// CHECK: scf.if %is_store {
// CHECK-NOT: ptx.setmaxnreg
// CHECK: } else {
// CHECK-NEXT: ptx.setmaxnreg dec 40
// CHECK: scf.if %is_load {
// CHECK-NOT: ptx.setmaxnreg
// CHECK: scf.if %is_late {
// PTX: .reqntid 384
// PTX-NEXT: .maxnreg 168
// PTX: setmaxnreg.inc.sync.aligned.u32 232;
// PTX: setmaxnreg.dec.sync.aligned.u32 40;
ptx.kernel @registers(%p : i64) {
  ws.warp_specialize {
    ws.role @load warps(1) registers(40) { ws.role_barrier }
    ws.role @compute warps(4) threads(%t) registers(232) { ws.role_barrier }
    ws.role @store warps(4) { ws.role_barrier }
    ws.role @late warps(2) registers(40) { ws.role_barrier }
  }
  ptx.ret
}
