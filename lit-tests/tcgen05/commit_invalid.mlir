// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @group(%barrier : i32) {
  // CHECK: cta_group: found 4; legal: 1, 2 [T5-CTA_GROUP-001] (PTX ISA 9.7.16.5)
  tcgen05.commit %barrier {cta_group = 4 : i32}
  ptx.ret
}

// -----

ptx.kernel @mask(%barrier : i32) attributes {cluster_dims = array<i32: 2, 1, 1>} {
  %mask = arith.constant 5 : i16
  // CHECK: ctaMask in a cluster of 2: found 5; legal: 0, 1, ... 3 [T5-COMMIT-003] (PTX ISA 9.7.16.12.1)
  tcgen05.commit %barrier multicast %mask
  ptx.ret
}

// -----

ptx.kernel @mask_inside_a_loop(%barrier : i32, %n : i32) attributes {cluster_dims = array<i32: 2, 2>} {
  %one = arith.constant 1 : i32
  %mask = arith.constant -1 : i16
  scf.for %i = %one to %n step %one : i32 {
    // CHECK: ctaMask in a cluster of 4: found 65535; legal: 0, 1, ... 15 [T5-COMMIT-003]
    tcgen05.commit %barrier multicast %mask
  }
  ptx.ret
}

// -----

// CHECK: ptx.kernel: CTAs of a cluster, cluster_dims: found -1; legal: one to three extents
ptx.kernel @extents(%barrier : i32) attributes {cluster_dims = array<i32: -1>} {
  %mask = arith.constant 1 : i16
  tcgen05.commit %barrier multicast %mask
  ptx.ret
}
