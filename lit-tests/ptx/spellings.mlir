// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.shared_memory @tile size 16384 alignment 128
ptx.shared_memory @full size 16 alignment 8

ptx.kernel @spellings(%map : !ptx.tensor_map, %x : i32, %n : i32, %wide : i64, %pair : i64) {
  // CHECK: %tile = ptx.address_of @tile
  %tile = ptx.address_of @tile
  // CHECK-NEXT: %full = ptx.address_of @full
  %full = ptx.address_of @full
  // CHECK-NEXT: %mask = ptx.constant -1 : i32
  %mask = ptx.constant -1 : i32
  // CHECK-NEXT: %zero = ptx.constant 0 : i32
  %zero = ptx.constant 0 : i32
  // CHECK-NEXT: ptx.bar.sync %zero {spelling = "barrier"}
  // PTX: barrier.sync 0;
  ptx.bar.sync %zero {spelling = "barrier"}
  // CHECK-NEXT: ptx.bar.sync %zero threads(%n) {spelling = "barrier_aligned"}
  // PTX-NEXT: barrier.sync.aligned 0, %r2;
  ptx.bar.sync %zero threads(%n) {spelling = "barrier_aligned"}
  // CHECK-NEXT: ptx.bar.arrive %zero, %n {spelling = "barrier"}
  // PTX-NEXT: barrier.arrive 0, %r2;
  ptx.bar.arrive %zero, %n {spelling = "barrier"}
  // CHECK-NEXT: ptx.bar.arrive %zero, %n {spelling = "barrier_aligned"}
  // PTX-NEXT: barrier.arrive.aligned 0, %r2;
  ptx.bar.arrive %zero, %n {spelling = "barrier_aligned"}
  // CHECK-NEXT: %leader, %elected = ptx.elect.sync %mask {spelling = "no_leader"}
  // PTX-NEXT: elect.sync _|%p1, -1;
  %leader, %elected = ptx.elect.sync %mask {spelling = "no_leader"}
  // CHECK-NEXT: %shuffled, %in_range = ptx.shfl.sync idx %x, %zero, %mask, %mask {spelling = "no_predicate"}
  // PTX-NEXT: shfl.sync.idx.b32 %r3, %r1, 0, -1, -1;
  %shuffled, %in_range = ptx.shfl.sync idx %x, %zero, %mask, %mask {spelling = "no_predicate"}
  // CHECK-NEXT: %rank = ptx.special_register cluster_ctarank {spelling = "b32"}
  // PTX-NEXT: mov.b32 %r4, %cluster_ctarank;
  %rank = ptx.special_register "cluster_ctarank" {spelling = "b32"}
  // CHECK-NEXT: %clock = ptx.special_register.b64 clock64 {spelling = "b64"}
  // PTX-NEXT: mov.b64 %rd4, %clock64;
  %clock = ptx.special_register.b64 clock64 {spelling = "b64"}
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.load [%tile], %map, {%x, %n}, [%full] {spelling = "without_tile"}
  // PTX-NEXT: cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1, {%r1, %r2}], [full];
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%x, %n}, [%full] {spelling = "without_tile"}
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.load "cta_group::2" [%tile], %map, {%x, %n}, [%full] {spelling = "shared::cta"}
  // PTX-NEXT: cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes.cta_group::2 [tile], [%rd1, {%r1, %r2}], [full];
  ptx.cp.async.bulk.tensor.load "cta_group::2" [%tile], %map, {%x, %n}, [%full] {spelling = "shared::cta"}
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.load [%tile], %map, {%x, %n}, [%full] {spelling = "shared::cta_without_tile"}
  // PTX-NEXT: cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%rd1, {%r1, %r2}], [full];
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%x, %n}, [%full] {spelling = "shared::cta_without_tile"}
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.store %map, {%x, %n}, [%tile] {spelling = "without_tile"}
  // PTX-NEXT: cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {%r1, %r2}], [tile];
  ptx.cp.async.bulk.tensor.store %map, {%x, %n}, [%tile] {spelling = "without_tile"}
  // CHECK-NEXT: ptx.cp.async.bulk.prefetch.tensor %map, {%x, %n} {spelling = "without_tile"}
  // PTX-NEXT: cp.async.bulk.prefetch.tensor.2d.L2.global [%rd1, {%r1, %r2}];
  ptx.cp.async.bulk.prefetch.tensor %map, {%x, %n} {spelling = "without_tile"}
  // CHECK-NEXT: ptx.mbarrier.init [%full], %n {spelling = "shared"}
  // PTX-NEXT: mbarrier.init.shared.b64 [full], %r2;
  ptx.mbarrier.init [%full], %n {spelling = "shared"}
  // CHECK-NEXT: ptx.mbarrier.arrive [%full] {spelling = "shared"}
  // PTX-NEXT: mbarrier.arrive.shared.b64 _, [full];
  ptx.mbarrier.arrive [%full] {spelling = "shared"}
  // CHECK-NEXT: ptx.mbarrier.arrive.expect_tx [%full], %n {spelling = "shared"}
  // PTX-NEXT: mbarrier.arrive.expect_tx.shared.b64 _, [full], %r2;
  ptx.mbarrier.arrive.expect_tx [%full], %n {spelling = "shared"}
  // CHECK-NEXT: %done = ptx.mbarrier.try_wait.parity [%full], %n {spelling = "shared"}
  // PTX-NEXT: mbarrier.try_wait.parity.shared.b64 %p2, [full], %r2;
  %done = ptx.mbarrier.try_wait.parity [%full], %n {spelling = "shared"}
  // CHECK-NEXT: ptx.mbarrier.inval [%full] {spelling = "shared"}
  // PTX-NEXT: mbarrier.inval.shared.b64 [full];
  ptx.mbarrier.inval [%full] {spelling = "shared"}
  // CHECK-NEXT: %high, %high_1 = ptx.unpack b64 %wide {sinks = array<i32: 0>} -> 2 x i32
  // PTX-NEXT: mov.b64 {_, %r5}, %rd2;
  %high:2 = ptx.unpack b64 %wide {sinks = array<i32: 0>} -> 2 x i32
  // CHECK-NEXT: %part, %part_1, %part_2, %part_3 = ptx.unpack b64 %wide {sinks = array<i32: 0, 3>} -> 4 x i16
  // PTX-NEXT: mov.b64 {_, %rs1, %rs2, _}, %rd2;
  %part:4 = ptx.unpack b64 %wide {sinks = array<i32: 0, 3>} -> 4 x i16
  // CHECK-NEXT: %copy = ptx.mov u32 %x
  // PTX-NEXT: mov.u32 %r6, %r1;
  %copy = ptx.mov u32 %x
  // CHECK-NEXT: ptx.mbarrier.arrive [%wide + 8] {spelling = "generic"}
  // PTX-NEXT: mbarrier.arrive.b64 _, [%rd2+8];
  ptx.mbarrier.arrive [%wide + 8] {spelling = "generic"}
  // CHECK-NEXT: ptx.mbarrier.expect_tx [%full], %n {spelling = "plain"}
  // PTX-NEXT: mbarrier.expect_tx.shared::cta.b64 [full], %r2;
  ptx.mbarrier.expect_tx [%full], %n {spelling = "plain"}
  // CHECK-NEXT: %kept, %kept_1 = ptx.guard %done else(%x, %n : i32, i32) {
  // PTX: @%p2 mov.b64 {_, %r{{[0-9]+}}}, %rd2;
  %kept:2 = ptx.guard %done else (%x, %n : i32, i32) {
    %inner:2 = ptx.unpack b64 %wide {sinks = array<i32: 0>} -> 2 x i32
    ptx.yield %inner#0, %inner#1 : i32, i32
  }
  ptx.nanosleep %kept#1
  ptx.ret
}

ptx.kernel @barriers_of_the_cta(%n : i32) {
  // CHECK: ptx.bar.sync %n {spelling = "bar_cta"}
  // PTX: bar.cta.sync %r1;
  ptx.bar.sync %n {spelling = "bar_cta"}
  // CHECK-NEXT: ptx.bar.sync %n threads(%n) {spelling = "barrier_cta"}
  // PTX-NEXT: barrier.cta.sync %r1, %r1;
  ptx.bar.sync %n threads(%n) {spelling = "barrier_cta"}
  // CHECK-NEXT: ptx.bar.arrive %n, %n {spelling = "barrier_cta_aligned"}
  // PTX-NEXT: barrier.cta.arrive.aligned %r1, %r1;
  ptx.bar.arrive %n, %n {spelling = "barrier_cta_aligned"}
  ptx.ret
}
