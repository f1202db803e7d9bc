// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --match-full-lines --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @synchronization(%n : i32, %lane : i32, %mask : i32, %x : i32) attributes {reqntid = array<i32: 128>} {
  // CHECK: %zero = ptx.constant 0 : i32
  %zero = ptx.constant 0 : i32
  // CHECK-NEXT: %one = ptx.constant 1 : i32
  %one = ptx.constant 1 : i32
  // CHECK-NEXT: %threads = ptx.constant 64 : i32
  %threads = ptx.constant 64 : i32
  // CHECK-NEXT: %all = ptx.constant -1 : i32
  %all = ptx.constant -1 : i32
  // CHECK-NEXT: %last = ptx.constant 31 : i32
  %last = ptx.constant 31 : i32
  // CHECK-NEXT: ptx.fence.proxy.async
  // GENERIC: "ptx.fence.proxy.async"() : () -> ()
  // PTX: fence.proxy.async;
  ptx.fence.proxy.async
  // CHECK-NEXT: ptx.fence.proxy.async global
  // PTX-NEXT: fence.proxy.async.global;
  ptx.fence.proxy.async global
  // CHECK-NEXT: ptx.fence.proxy.async "shared::cta"
  // PTX-NEXT: fence.proxy.async.shared::cta;
  ptx.fence.proxy.async "shared::cta"
  // CHECK-NEXT: ptx.fence.mbarrier_init
  // GENERIC: "ptx.fence.mbarrier_init"() : () -> ()
  // PTX-NEXT: fence.mbarrier_init.release.cluster;
  ptx.fence.mbarrier_init
  // CHECK-NEXT: ptx.fence acq_rel gpu
  // GENERIC: "ptx.fence"() <{semantics = "acq_rel", scope = "gpu"}> : () -> ()
  // PTX-NEXT: fence.acq_rel.gpu;
  ptx.fence acq_rel gpu
  // CHECK-NEXT: ptx.fence sc cta
  // PTX-NEXT: fence.sc.cta;
  ptx.fence sc cta
  // CHECK-NEXT: ptx.fence cta
  // PTX-NEXT: fence.cta;
  ptx.fence cta
  // CHECK-NEXT: ptx.bar.sync %zero
  // GENERIC: "ptx.bar.sync"(%zero) : (i32) -> ()
  // PTX-NEXT: bar.sync 0;
  ptx.bar.sync %zero
  // CHECK-NEXT: ptx.bar.sync %n threads(%threads)
  // PTX-NEXT: bar.sync %r1, 64;
  ptx.bar.sync %n threads(%threads)
  // CHECK-NEXT: ptx.bar.arrive %one, %threads
  // GENERIC: "ptx.bar.arrive"(%one, %threads) : (i32, i32) -> ()
  // PTX-NEXT: bar.arrive 1, 64;
  ptx.bar.arrive %one, %threads
  // CHECK-NEXT: ptx.bar.warp.sync %all
  // GENERIC: "ptx.bar.warp.sync"(%all) : (i32) -> ()
  // PTX-NEXT: bar.warp.sync -1;
  ptx.bar.warp.sync %all
  // CHECK-NEXT: ptx.bar.warp.sync %mask
  // PTX-NEXT: bar.warp.sync %r3;
  ptx.bar.warp.sync %mask
  // CHECK-NEXT: ptx.barrier.cluster.arrive
  // GENERIC: "ptx.barrier.cluster.arrive"() : () -> ()
  // PTX-NEXT: barrier.cluster.arrive;
  ptx.barrier.cluster.arrive
  // CHECK-NEXT: ptx.barrier.cluster.arrive relaxed aligned
  // PTX-NEXT: barrier.cluster.arrive.relaxed.aligned;
  ptx.barrier.cluster.arrive relaxed aligned
  // CHECK-NEXT: ptx.barrier.cluster.wait
  // GENERIC: "ptx.barrier.cluster.wait"() : () -> ()
  // PTX-NEXT: barrier.cluster.wait;
  ptx.barrier.cluster.wait
  // CHECK-NEXT: ptx.barrier.cluster.wait acquire
  // PTX-NEXT: barrier.cluster.wait.acquire;
  ptx.barrier.cluster.wait acquire
  // CHECK-NEXT: ptx.barrier.cluster.wait aligned
  // PTX-NEXT: barrier.cluster.wait.aligned;
  ptx.barrier.cluster.wait aligned
  // CHECK-NEXT: %leader, %elected = ptx.elect.sync %all
  // GENERIC: %leader, %elected = "ptx.elect.sync"(%all) : (i32) -> (i32, i1)
  // PTX-NEXT: elect.sync %r{{[0-9]+}}|%p{{[0-9]+}}, -1;
  %leader, %elected = ptx.elect.sync %all
  // CHECK-NEXT: %value, %in_range = ptx.shfl.sync idx %x, %lane, %last, %all
  // GENERIC: %value, %in_range = "ptx.shfl.sync"(%x, %lane, %last, %all) <{mode = "idx"}> : (i32, i32, i32, i32) -> (i32, i1)
  // PTX-NEXT: shfl.sync.idx.b32 %r{{[0-9]+}}|%p{{[0-9]+}}, %r4, %r2, 31, -1;
  %value, %in_range = ptx.shfl.sync idx %x, %lane, %last, %all
  // CHECK-NEXT: %down, %below = ptx.shfl.sync down %x, %one, %last, %mask
  // PTX-NEXT: shfl.sync.down.b32 %r{{[0-9]+}}|%p{{[0-9]+}}, %r4, 1, 31, %r3;
  %down, %below = ptx.shfl.sync down %x, %one, %last, %mask
  // CHECK-NEXT: ptx.setmaxnreg inc 232
  // GENERIC: "ptx.setmaxnreg"() <{action = "inc", registers = 232 : i32}> : () -> ()
  // PTX-NEXT: setmaxnreg.inc.sync.aligned.u32 232;
  ptx.setmaxnreg inc 232
  // CHECK-NEXT: ptx.setmaxnreg dec 24
  // PTX-NEXT: setmaxnreg.dec.sync.aligned.u32 24;
  ptx.setmaxnreg dec 24
  // CHECK-NEXT: ptx.griddepcontrol launch_dependents
  // GENERIC: "ptx.griddepcontrol"() <{action = "launch_dependents"}> : () -> ()
  // PTX-NEXT: griddepcontrol.launch_dependents;
  ptx.griddepcontrol launch_dependents
  // CHECK-NEXT: ptx.griddepcontrol wait
  // PTX-NEXT: griddepcontrol.wait;
  ptx.griddepcontrol wait
  // CHECK-NEXT: ptx.nanosleep %n
  // GENERIC: "ptx.nanosleep"(%n) : (i32) -> ()
  // PTX-NEXT: nanosleep.u32 %r1;
  ptx.nanosleep %n
  // CHECK-NEXT: ptx.nanosleep %threads
  // PTX-NEXT: nanosleep.u32 64;
  ptx.nanosleep %threads
  ptx.ret
}
