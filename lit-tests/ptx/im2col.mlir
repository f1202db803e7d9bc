// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.shared_memory @tile size 1024 alignment 128
ptx.shared_memory @full size 8 alignment 8

ptx.kernel @im2col(%map : !ptx.tensor_map, %c : i32, %w : i32, %h : i32, %n : i32, %ow : i16, %oh : i16, %mask : i16, %policy : i64) {
  // CHECK: %tile = ptx.address_of @tile
  %tile = ptx.address_of @tile
  // CHECK-NEXT: %full = ptx.address_of @full
  %full = ptx.address_of @full
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.im2col im2col [%tile], %map, {%c, %w, %n}, [%full], {%ow}
  // PTX: cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [tile], [%rd1, {%r1, %r2, %r4}], [full], {%rs1};
  ptx.cp.async.bulk.tensor.im2col im2col [%tile], %map, {%c, %w, %n}, [%full], {%ow}
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.im2col im2col "cta_group::2" multicast_mask(%mask) cache_policy(%policy) [%tile + 128], %map, {%c, %w, %h, %n}, [%full], {%ow, %oh}
  // PTX-NEXT: cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::2.L2::cache_hint [tile+128], [%rd1, {%r1, %r2, %r3, %r4}], [full], {%rs1, %rs2}, %rs3, %rd2;
  ptx.cp.async.bulk.tensor.im2col im2col "cta_group::2" multicast_mask(%mask) cache_policy(%policy) [%tile + 128], %map, {%c, %w, %h, %n}, [%full], {%ow, %oh}
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.im2col im2col [%tile], %map, {%c, %w, %h, %h, %n}, [%full], {%ow, %oh, %oh} {spelling = "shared::cta"}
  // PTX-NEXT: cp.async.bulk.tensor.5d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [tile], [%rd1, {%r1, %r2, %r3, %r3, %r4}], [full], {%rs1, %rs2, %rs2};
  ptx.cp.async.bulk.tensor.im2col im2col [%tile], %map, {%c, %w, %h, %h, %n}, [%full], {%ow, %oh, %oh} {spelling = "shared::cta"}
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.im2col "im2col::w" [%tile], %map, {%c, %w, %n}, [%full], {%ow, %oh}
  // PTX-NEXT: cp.async.bulk.tensor.3d.shared::cluster.global.im2col::w.mbarrier::complete_tx::bytes [tile], [%rd1, {%r1, %r2, %r4}], [full], {%rs1, %rs2};
  ptx.cp.async.bulk.tensor.im2col "im2col::w" [%tile], %map, {%c, %w, %n}, [%full], {%ow, %oh}
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.im2col "im2col::w::128" [%tile], %map, {%c, %w, %h, %n}, [%full], {%ow, %oh}
  // PTX-NEXT: cp.async.bulk.tensor.4d.shared::cluster.global.im2col::w::128.mbarrier::complete_tx::bytes [tile], [%rd1, {%r1, %r2, %r3, %r4}], [full], {%rs1, %rs2};
  ptx.cp.async.bulk.tensor.im2col "im2col::w::128" [%tile], %map, {%c, %w, %h, %n}, [%full], {%ow, %oh}
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.im2col_no_offs %map, {%c, %w, %h, %n}, [%tile]
  // PTX-NEXT: cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%rd1, {%r1, %r2, %r3, %r4}], [tile];
  ptx.cp.async.bulk.tensor.im2col_no_offs %map, {%c, %w, %h, %n}, [%tile]
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.im2col_no_offs cache_policy(%policy) %map, {%c, %w, %n}, [%tile]
  // PTX-NEXT: cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint [%rd1, {%r1, %r2, %r4}], [tile], %rd2;
  ptx.cp.async.bulk.tensor.im2col_no_offs cache_policy(%policy) %map, {%c, %w, %n}, [%tile]
  // CHECK-NEXT: ptx.cp.reduce.async.bulk.tensor.im2col_no_offs min cache_policy(%policy) %map, {%c, %w, %n}, [%tile]
  // PTX-NEXT: cp.reduce.async.bulk.tensor.3d.global.shared::cta.min.im2col_no_offs.bulk_group.L2::cache_hint [%rd1, {%r1, %r2, %r4}], [tile], %rd2;
  ptx.cp.reduce.async.bulk.tensor.im2col_no_offs min cache_policy(%policy) %map, {%c, %w, %n}, [%tile]
  // CHECK-NEXT: ptx.cp.async.bulk.prefetch.tensor.im2col im2col %map, {%c, %w, %n}, {%ow}
  // PTX-NEXT: cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%rd1, {%r1, %r2, %r4}], {%rs1};
  ptx.cp.async.bulk.prefetch.tensor.im2col im2col %map, {%c, %w, %n}, {%ow}
  // CHECK-NEXT: ptx.cp.async.bulk.prefetch.tensor.im2col "im2col::w" cache_policy(%policy) %map, {%c, %w, %n}, {%ow, %oh}
  // PTX-NEXT: cp.async.bulk.prefetch.tensor.3d.L2.global.im2col::w.L2::cache_hint [%rd1, {%r1, %r2, %r4}], {%rs1, %rs2}, %rd2;
  ptx.cp.async.bulk.prefetch.tensor.im2col "im2col::w" cache_policy(%policy) %map, {%c, %w, %n}, {%ow, %oh}
  ptx.ret
}
