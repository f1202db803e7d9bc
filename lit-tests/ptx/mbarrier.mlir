// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --match-full-lines --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.shared_memory @full size 16 alignment 8

ptx.kernel @mbarrier(%a : i32, %n : i32, %parity : i32) {
  // CHECK: %full = ptx.address_of @full
  %full = ptx.address_of @full
  // CHECK-NEXT: %one = ptx.constant 1 : i32
  %one = ptx.constant 1 : i32
  // CHECK-NEXT: %bytes = ptx.constant 16384 : i32
  %bytes = ptx.constant 16384 : i32
  // CHECK-NEXT: ptx.mbarrier.init [%a], %n
  // GENERIC: "ptx.mbarrier.init"(%a, %n) : (i32, i32) -> ()
  // PTX: mbarrier.init.shared::cta.b64 [%r1], %r2;
  ptx.mbarrier.init [%a], %n
  // CHECK-NEXT: ptx.mbarrier.init [%full + 8], %one
  // PTX-NEXT: mbarrier.init.shared::cta.b64 [full+8], 1;
  ptx.mbarrier.init [%full + 8], %one
  // CHECK-NEXT: ptx.mbarrier.inval [%full]
  // GENERIC: "ptx.mbarrier.inval"(%full) : (i32) -> ()
  // PTX-NEXT: mbarrier.inval.shared::cta.b64 [full];
  ptx.mbarrier.inval [%full]
  // CHECK-NEXT: ptx.mbarrier.arrive [%a]
  // GENERIC: "ptx.mbarrier.arrive"(%a) : (i32) -> ()
  // PTX-NEXT: mbarrier.arrive.shared::cta.b64 _, [%r1];
  ptx.mbarrier.arrive [%a]
  // CHECK-NEXT: ptx.mbarrier.arrive release cta [%full + 8]
  // PTX-NEXT: mbarrier.arrive.release.cta.shared::cta.b64 _, [full+8];
  ptx.mbarrier.arrive release cta [%full + 8]
  // CHECK-NEXT: ptx.mbarrier.arrive.remote [%a + 16]
  // GENERIC: "ptx.mbarrier.arrive.remote"(%a) <{address_offset = 16 : i32}> : (i32) -> ()
  // PTX-NEXT: mbarrier.arrive.shared::cluster.b64 _, [%r1+16];
  ptx.mbarrier.arrive.remote [%a + 16]
  // CHECK-NEXT: ptx.mbarrier.arrive.remote relaxed cluster [%a]
  // PTX-NEXT: mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%r1];
  ptx.mbarrier.arrive.remote relaxed cluster [%a]
  // CHECK-NEXT: ptx.mbarrier.arrive.expect_tx [%a], %n
  // GENERIC: "ptx.mbarrier.arrive.expect_tx"(%a, %n) : (i32, i32) -> ()
  // PTX-NEXT: mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], %r2;
  ptx.mbarrier.arrive.expect_tx [%a], %n
  // CHECK-NEXT: ptx.mbarrier.arrive.expect_tx relaxed cta [%full], %bytes
  // PTX-NEXT: mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 _, [full], 16384;
  ptx.mbarrier.arrive.expect_tx relaxed cta [%full], %bytes
  // CHECK-NEXT: ptx.mbarrier.expect_tx [%a], %bytes
  // GENERIC: "ptx.mbarrier.expect_tx"(%a, %bytes) : (i32, i32) -> ()
  // PTX-NEXT: mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], 16384;
  ptx.mbarrier.expect_tx [%a], %bytes
  // CHECK-NEXT: %done = ptx.mbarrier.try_wait.parity [%a], %parity
  // GENERIC: %done = "ptx.mbarrier.try_wait.parity"(%a, %parity) : (i32, i32) -> i1
  // PTX-NEXT: mbarrier.try_wait.parity.shared::cta.b64 %p{{[0-9]+}}, [%r1], %r3;
  %done = ptx.mbarrier.try_wait.parity [%a], %parity
  // CHECK-NEXT: %done_1 = ptx.mbarrier.try_wait.parity acquire cluster [%full + 8], %one
  // PTX-NEXT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p{{[0-9]+}}, [full+8], 1;
  %done_1 = ptx.mbarrier.try_wait.parity acquire cluster [%full + 8], %one
  // A loop in a block of its own, whose label and predicate no other wait sees.
  // CHECK-NEXT: ptx.mbarrier.wait [%a], %parity
  // GENERIC: "ptx.mbarrier.wait"(%a, %parity) : (i32, i32) -> ()
  // PTX-NEXT: {
  // PTX-NEXT: .reg .pred %done;
  // PTX-NEXT: %wait:
  // PTX-NEXT: mbarrier.try_wait.parity.shared::cta.b64 %done, [%r1], %r3;
  // PTX-NEXT: @!%done bra %wait;
  // PTX-NEXT: }
  ptx.mbarrier.wait [%a], %parity
  // CHECK-NEXT: ptx.mbarrier.wait relaxed cta [%full], %one
  // PTX-NEXT: {
  // PTX-NEXT: .reg .pred %done;
  // PTX-NEXT: %wait:
  // PTX-NEXT: mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 %done, [full], 1;
  // PTX-NEXT: @!%done bra %wait;
  // PTX-NEXT: }
  ptx.mbarrier.wait relaxed cta [%full], %one
  ptx.ret
}

ptx.kernel @others(%a : i32, %n : i32, %parity : i32) {
  // CHECK: %full = ptx.address_of @full
  %full = ptx.address_of @full
  // CHECK-NEXT: ptx.mbarrier.arrive [%full] count(%n)
  // PTX: mbarrier.arrive.shared::cta.b64 _, [full], %r2;
  ptx.mbarrier.arrive [%full] count(%n)
  // CHECK-NEXT: ptx.mbarrier.arrive.remote release cluster [%a + 8] count(%n)
  // PTX-NEXT: mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1+8], %r2;
  ptx.mbarrier.arrive.remote release cluster [%a + 8] count(%n)
  // CHECK-NEXT: %state = ptx.mbarrier.arrive.state [%full]
  // PTX-NEXT: mbarrier.arrive.shared::cta.b64 %rd1, [full];
  %state = ptx.mbarrier.arrive.state [%full]
  // CHECK-NEXT: %counted = ptx.mbarrier.arrive.state relaxed cta [%full] count(%n)
  // PTX-NEXT: mbarrier.arrive.relaxed.cta.shared::cta.b64 %rd2, [full], %r2;
  %counted = ptx.mbarrier.arrive.state relaxed cta [%full] count(%n)
  // CHECK-NEXT: %expecting = ptx.mbarrier.arrive.expect_tx.state [%full], %n
  // PTX-NEXT: mbarrier.arrive.expect_tx.shared::cta.b64 %rd3, [full], %r2;
  %expecting = ptx.mbarrier.arrive.expect_tx.state [%full], %n
  // CHECK-NEXT: ptx.mbarrier.arrive.expect_tx.remote [%a], %n
  // PTX-NEXT: mbarrier.arrive.expect_tx.shared::cluster.b64 _, [%r1], %r2;
  ptx.mbarrier.arrive.expect_tx.remote [%a], %n
  // CHECK-NEXT: ptx.mbarrier.arrive.expect_tx.remote relaxed cluster [%a + 8], %n
  // PTX-NEXT: mbarrier.arrive.expect_tx.relaxed.cluster.shared::cluster.b64 _, [%r1+8], %r2;
  ptx.mbarrier.arrive.expect_tx.remote relaxed cluster [%a + 8], %n
  // CHECK-NEXT: ptx.mbarrier.expect_tx.remote [%a], %n
  // PTX-NEXT: mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r1], %r2;
  ptx.mbarrier.expect_tx.remote [%a], %n
  // CHECK-NEXT: %limited = ptx.mbarrier.try_wait.parity [%full], %parity time_limit(%n)
  // PTX-NEXT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], %r3, %r2;
  %limited = ptx.mbarrier.try_wait.parity [%full], %parity time_limit(%n)
  // CHECK-NEXT: %tested = ptx.mbarrier.test_wait.parity acquire cta [%full], %parity
  // PTX-NEXT: mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 %p2, [full], %r3;
  %tested = ptx.mbarrier.test_wait.parity acquire cta [%full], %parity
  // CHECK-NEXT: %of_state = ptx.mbarrier.try_wait [%full], %state
  // PTX-NEXT: mbarrier.try_wait.shared::cta.b64 %p3, [full], %rd1;
  %of_state = ptx.mbarrier.try_wait [%full], %state
  // CHECK-NEXT: %of_state_limited = ptx.mbarrier.try_wait acquire cluster [%full], %state time_limit(%n)
  // PTX-NEXT: mbarrier.try_wait.acquire.cluster.shared::cta.b64 %p4, [full], %rd1, %r2;
  %of_state_limited = ptx.mbarrier.try_wait acquire cluster [%full], %state time_limit(%n)
  // CHECK-NEXT: %tested_state = ptx.mbarrier.test_wait [%full], %state
  // PTX-NEXT: mbarrier.test_wait.shared::cta.b64 %p5, [full], %rd1;
  %tested_state = ptx.mbarrier.test_wait [%full], %state
  ptx.ret
}
