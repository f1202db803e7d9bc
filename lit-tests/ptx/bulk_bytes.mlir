// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.4">} {
ptx.shared_memory @tile size 1024 alignment 16
ptx.shared_memory @full size 8 alignment 8

ptx.kernel @load(%from : i64, %to : i32, %size : i32, %mask : i16, %policy : i64) {
  // CHECK: %tile = ptx.address_of @tile
  %tile = ptx.address_of @tile
  // CHECK-NEXT: %full = ptx.address_of @full
  %full = ptx.address_of @full
  // CHECK-NEXT: %bytes = ptx.constant 1008 : i32
  %bytes = ptx.constant 1008 : i32
  // CHECK-NEXT: %three = ptx.constant 3 : i32
  %three = ptx.constant 3 : i32
  // CHECK-NEXT: ptx.cp.async.bulk.load [%tile + 16], [%from + 32], %bytes, [%full]
  // PTX: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile+16], [%rd1+32], 1008, [full];
  ptx.cp.async.bulk.load [%tile + 16], [%from + 32], %bytes, [%full]
  // CHECK-NEXT: ptx.cp.async.bulk.load multicast_mask(%mask) cache_policy(%policy) [%to], [%from], %size, [%full]
  // PTX-NEXT: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%r1], [%rd1], %r2, [full], %rs1, %rd2;
  ptx.cp.async.bulk.load multicast_mask(%mask) cache_policy(%policy) [%to], [%from], %size, [%full]
  // CHECK-NEXT: ptx.cp.async.bulk.load cache_policy(%policy) [%tile], [%from], %size, [%full] {spelling = "shared::cta"}
  // PTX-NEXT: cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [tile], [%rd1], %r2, [full], %rd2;
  ptx.cp.async.bulk.load cache_policy(%policy) [%tile], [%from], %size, [%full] {spelling = "shared::cta"}
  // CHECK-NEXT: ptx.cp.async.bulk.load.ignore_oob [%tile], [%from], %size, %three, %three, [%full]
  // PTX-NEXT: cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [tile], [%rd1], %r2, 3, 3, [full];
  ptx.cp.async.bulk.load.ignore_oob [%tile], [%from], %size, %three, %three, [%full]
  // CHECK-NEXT: ptx.cp.async.bulk.load.ignore_oob cache_policy(%policy) [%tile], [%from], %size, %size, %three, [%full]
  // PTX-NEXT: cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint.ignore_oob [tile], [%rd1], %r2, %r2, 3, [full], %rd2;
  ptx.cp.async.bulk.load.ignore_oob cache_policy(%policy) [%tile], [%from], %size, %size, %three, [%full]
  // CHECK-NEXT: ptx.cp.async.bulk.prefetch [%from + 16], %size
  // PTX-NEXT: cp.async.bulk.prefetch.L2.global [%rd1+16], %r2;
  ptx.cp.async.bulk.prefetch [%from + 16], %size
  // CHECK-NEXT: ptx.cp.async.bulk.prefetch cache_policy(%policy) [%from], %bytes
  // PTX-NEXT: cp.async.bulk.prefetch.L2.global.L2::cache_hint [%rd1], 1008, %rd2;
  ptx.cp.async.bulk.prefetch cache_policy(%policy) [%from], %bytes
  ptx.ret
}

ptx.kernel @store(%to : i64, %remote : i32, %barrier : i32, %size : i32, %mask : i16, %policy : i64) {
  // CHECK: %tile = ptx.address_of @tile
  %tile = ptx.address_of @tile
  // CHECK-NEXT: ptx.cp.async.bulk.remote [%remote], [%tile], %size, [%barrier + 8]
  // PTX: cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [tile], %r3, [%r2+8];
  ptx.cp.async.bulk.remote [%remote], [%tile], %size, [%barrier + 8]
  // CHECK-NEXT: ptx.cp.async.bulk.store [%to], [%tile + 16], %size
  // PTX-NEXT: cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile+16], %r3;
  ptx.cp.async.bulk.store [%to], [%tile + 16], %size
  // CHECK-NEXT: ptx.cp.async.bulk.store cache_policy(%policy) byte_mask(%mask) [%to], [%tile], %size
  // PTX-NEXT: cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.cp_mask [%rd1], [tile], %r3, %rd2, %rs1;
  ptx.cp.async.bulk.store cache_policy(%policy) byte_mask(%mask) [%to], [%tile], %size
  // CHECK-NEXT: ptx.cp.reduce.async.bulk.remote add u64 [%remote], [%tile], %size, [%barrier]
  // PTX-NEXT: cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64 [%r1], [tile], %r3, [%r2];
  ptx.cp.reduce.async.bulk.remote add u64 [%remote], [%tile], %size, [%barrier]
  // CHECK-NEXT: ptx.cp.reduce.async.bulk.remote xor b32 [%remote], [%tile], %size, [%barrier]
  // PTX-NEXT: cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.xor.b32 [%r1], [tile], %r3, [%r2];
  ptx.cp.reduce.async.bulk.remote xor b32 [%remote], [%tile], %size, [%barrier]
  // CHECK-NEXT: ptx.cp.reduce.async.bulk.store add noftz bf16 cache_policy(%policy) [%to], [%tile], %size
  // PTX-NEXT: cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.noftz.bf16 [%rd1], [tile], %r3, %rd2;
  ptx.cp.reduce.async.bulk.store add noftz bf16 cache_policy(%policy) [%to], [%tile], %size
  // CHECK-NEXT: ptx.cp.reduce.async.bulk.store max s64 [%to], [%tile], %size
  // PTX-NEXT: cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s64 [%rd1], [tile], %r3;
  ptx.cp.reduce.async.bulk.store max s64 [%to], [%tile], %size
  // CHECK-NEXT: ptx.cp.reduce.async.bulk.store add noftz f32 [%to], [%tile], %size
  // PTX-NEXT: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f32 [%rd1], [tile], %r3;
  ptx.cp.reduce.async.bulk.store add noftz f32 [%to], [%tile], %size
  ptx.ret
}
}
