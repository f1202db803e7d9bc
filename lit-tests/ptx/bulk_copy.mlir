// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --match-full-lines --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.shared_memory @tile size 16384 alignment 128
ptx.shared_memory @full size 8 alignment 8

ptx.kernel @tensor(%map : !ptx.tensor_map, %global_map : i64, %x : i32, %y : i32, %mask : i16, %policy : i64) {
  // CHECK: %tile = ptx.address_of @tile
  %tile = ptx.address_of @tile
  // CHECK-NEXT: %full = ptx.address_of @full
  %full = ptx.address_of @full
  // CHECK-NEXT: %zero = ptx.constant 0 : i32
  %zero = ptx.constant 0 : i32
  // CHECK-NEXT: %both = ptx.constant 3 : i16
  %both = ptx.constant 3 : i16
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.load [%tile], %map, {%x}, [%full]
  // GENERIC: "ptx.cp.async.bulk.tensor.load"(%tile, %map, %x, %full) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}> : (i32, !ptx.tensor_map, i32, i32) -> ()
  // PTX: cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [tile], [%rd1, {%r1}], [full];
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%x}, [%full]
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.load cache_policy(%policy) [%tile + 1024], %map, {%x, %y}, [%full]
  // PTX-NEXT: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [tile+1024], [%rd1, {%r1, %r2}], [full], %rd3;
  ptx.cp.async.bulk.tensor.load cache_policy(%policy) [%tile + 1024], %map, {%x, %y}, [%full]
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.load "cta_group::1" multicast_mask(%mask) [%tile], %global_map, {%x, %y, %zero}, [%full]
  // PTX-NEXT: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::1 [tile], [%rd2, {%r1, %r2, 0}], [full], %rs1;
  ptx.cp.async.bulk.tensor.load "cta_group::1" multicast_mask(%mask) [%tile], %global_map, {%x, %y, %zero}, [%full]
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.load "cta_group::2" multicast_mask(%both) cache_policy(%policy) [%tile], %map, {%x, %y, %zero, %zero, %x}, [%full]
  // PTX-NEXT: cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::2.L2::cache_hint [tile], [%rd1, {%r1, %r2, 0, 0, %r1}], [full], 3, %rd3;
  ptx.cp.async.bulk.tensor.load "cta_group::2" multicast_mask(%both) cache_policy(%policy) [%tile], %map, {%x, %y, %zero, %zero, %x}, [%full]
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.store %map, {%x, %y}, [%tile]
  // GENERIC: "ptx.cp.async.bulk.tensor.store"(%map, %x, %y, %tile) <{operandSegmentSizes = array<i32: 1, 2, 1, 0>}> : (!ptx.tensor_map, i32, i32, i32) -> ()
  // PTX-NEXT: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {%r1, %r2}], [tile];
  ptx.cp.async.bulk.tensor.store %map, {%x, %y}, [%tile]
  // CHECK-NEXT: ptx.cp.reduce.async.bulk.tensor add %map, {%x, %y}, [%tile]
  // PTX-NEXT: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd1, {%r1, %r2}], [tile];
  ptx.cp.reduce.async.bulk.tensor add %map, {%x, %y}, [%tile]
  // CHECK-NEXT: ptx.cp.reduce.async.bulk.tensor xor cache_policy(%policy) %map, {%x}, [%tile] {spelling = "without_tile"}
  // PTX-NEXT: cp.reduce.async.bulk.tensor.1d.global.shared::cta.xor.bulk_group.L2::cache_hint [%rd1, {%r1}], [tile], %rd3;
  ptx.cp.reduce.async.bulk.tensor xor cache_policy(%policy) %map, {%x}, [%tile] {spelling = "without_tile"}
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.store cache_policy(%policy) %map, {%x, %y, %zero, %zero}, [%tile + 512]
  // PTX-NEXT: cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group.L2::cache_hint [%rd1, {%r1, %r2, 0, 0}], [tile+512], %rd3;
  ptx.cp.async.bulk.tensor.store cache_policy(%policy) %map, {%x, %y, %zero, %zero}, [%tile + 512]
  // CHECK-NEXT: ptx.cp.async.bulk.prefetch.tensor %map, {%x, %y}
  // GENERIC: "ptx.cp.async.bulk.prefetch.tensor"(%map, %x, %y) <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (!ptx.tensor_map, i32, i32) -> ()
  // PTX-NEXT: cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd1, {%r1, %r2}];
  ptx.cp.async.bulk.prefetch.tensor %map, {%x, %y}
  // CHECK-NEXT: ptx.cp.async.bulk.commit_group
  // GENERIC: "ptx.cp.async.bulk.commit_group"() : () -> ()
  // PTX-NEXT: cp.async.bulk.commit_group;
  ptx.cp.async.bulk.commit_group
  // CHECK-NEXT: ptx.cp.async.bulk.wait_group 0
  // GENERIC: "ptx.cp.async.bulk.wait_group"() <{pending = 0 : i32}> : () -> ()
  // PTX-NEXT: cp.async.bulk.wait_group 0;
  ptx.cp.async.bulk.wait_group 0
  // CHECK-NEXT: ptx.cp.async.bulk.wait_group read 1
  // PTX-NEXT: cp.async.bulk.wait_group.read 1;
  ptx.cp.async.bulk.wait_group read 1
  // CHECK-NEXT: ptx.prefetch.tensormap [%map]
  // GENERIC: "ptx.prefetch.tensormap"(%map) : (!ptx.tensor_map) -> ()
  // PTX-NEXT: prefetch.tensormap [%rd1];
  ptx.prefetch.tensormap [%map]
  // CHECK-NEXT: ptx.prefetch.tensormap [%map] {spelling = "param"}
  // PTX-NEXT: prefetch.param.tensormap [%rd1];
  ptx.prefetch.tensormap [%map] {spelling = "param"}
  // CHECK-NEXT: ptx.prefetch.tensormap [%global_map]
  // PTX-NEXT: prefetch.tensormap [%rd2];
  ptx.prefetch.tensormap [%global_map]
  ptx.ret
}

ptx.kernel @rows(%map : !ptx.tensor_map, %column : i32, %row : i32, %mask : i16, %policy : i64) {
  // CHECK: %tile = ptx.address_of @tile
  %tile = ptx.address_of @tile
  // CHECK-NEXT: %full = ptx.address_of @full
  %full = ptx.address_of @full
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.gather4 [%tile], %map, {%column, %row, %row, %row, %row}, [%full]
  // PTX: cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes [tile], [%rd1, {%r1, %r2, %r2, %r2, %r2}], [full];
  ptx.cp.async.bulk.tensor.gather4 [%tile], %map, {%column, %row, %row, %row, %row}, [%full]
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.gather4 "cta_group::2" multicast_mask(%mask) cache_policy(%policy) [%tile + 512], %map, {%column, %row, %row, %row, %row}, [%full]
  // PTX-NEXT: cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::2.L2::cache_hint [tile+512], [%rd1, {%r1, %r2, %r2, %r2, %r2}], [full], %rs1, %rd2;
  ptx.cp.async.bulk.tensor.gather4 "cta_group::2" multicast_mask(%mask) cache_policy(%policy) [%tile + 512], %map, {%column, %row, %row, %row, %row}, [%full]
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.gather4 [%tile], %map, {%column, %row, %row, %row, %row}, [%full] {spelling = "shared::cta"}
  // PTX-NEXT: cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [tile], [%rd1, {%r1, %r2, %r2, %r2, %r2}], [full];
  ptx.cp.async.bulk.tensor.gather4 [%tile], %map, {%column, %row, %row, %row, %row}, [%full] {spelling = "shared::cta"}
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.scatter4 %map, {%column, %row, %row, %row, %row}, [%tile]
  // PTX-NEXT: cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%rd1, {%r1, %r2, %r2, %r2, %r2}], [tile];
  ptx.cp.async.bulk.tensor.scatter4 %map, {%column, %row, %row, %row, %row}, [%tile]
  // CHECK-NEXT: ptx.cp.async.bulk.prefetch.tensor.gather4 %map, {%column, %row, %row, %row, %row}
  // PTX-NEXT: cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [%rd1, {%r1, %r2, %r2, %r2, %r2}];
  ptx.cp.async.bulk.prefetch.tensor.gather4 %map, {%column, %row, %row, %row, %row}
  ptx.ret
}
