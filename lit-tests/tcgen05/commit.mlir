// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

ptx.shared_memory @barriers size 64 alignment 8
ptx.kernel @commit(%barrier : i32, %mask : i16) attributes {cluster_dims = array<i32: 2>} {
  // CHECK: tcgen05.commit %barrier{{$}}
  // GENERIC: "tcgen05.commit"(%barrier) <{cta_group = 1 : i32}> : (i32) -> ()
  // PTX: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r1];
  tcgen05.commit %barrier
  // A barrier of an array of them, and a mask, that are known cost no instruction.
  // PTX-NEXT: mov.b16 %rs[[MASK:[0-9]+]], 3;
  // PTX-NEXT: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [barriers+16], %rs[[MASK]];
  %barriers = ptx.address_of @barriers
  %offset = arith.constant 16 : i32
  %third = arith.addi %barriers, %offset : i32
  %both = arith.constant 3 : i16
  tcgen05.commit %third multicast %both
  ptx.ret
}

ptx.kernel @commit_of_a_pair(%barrier : i32, %mask : i16) attributes {cluster_dims = array<i32: 2>} {
  // CHECK: tcgen05.commit cta_group_2 %barrier multicast %mask
  // GENERIC: "tcgen05.commit"(%barrier, %mask) <{cta_group = 2 : i32}> : (i32, i16) -> ()
  // PTX: tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r1], %rs1;
  tcgen05.commit cta_group_2 %barrier multicast %mask
  ptx.ret
}
