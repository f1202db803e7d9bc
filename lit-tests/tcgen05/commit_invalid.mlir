// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @group(%barrier : i32) {
  // CHECK: error[T5-CTA_GROUP-001]: tcgen05.commit: cta_group must be 1 or 2; found 4
  tcgen05.commit %barrier {cta_group = 4 : i32}
  ptx.ret
}

// -----

ptx.kernel @mask(%barrier : i32) attributes {cluster_dims = array<i32: 2, 1, 1>} {
  %mask = arith.constant 5 : i16
  // CHECK: error[T5-PTX-079]: tcgen05.commit: CTA mask in a cluster of 2 CTAs must be 0, 1, 2 or 3; found 5
  tcgen05.commit %barrier multicast %mask
  ptx.ret
}

// -----

ptx.kernel @mask_inside_a_loop(%barrier : i32, %n : i32) attributes {cluster_dims = array<i32: 2, 2>} {
  %one = arith.constant 1 : i32
  %mask = arith.constant -1 : i16
  scf.for %i = %one to %n step %one : i32 {
    // CHECK: error[T5-PTX-079]: tcgen05.commit: CTA mask in a cluster of 4 CTAs must be 0, 1, ... 15; found 65535
    tcgen05.commit %barrier multicast %mask
  }
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-075]: ptx.kernel: cluster_dims must be one to three extents of 1 or more, with a product of at most 16; found -1
ptx.kernel @extents(%barrier : i32) attributes {cluster_dims = array<i32: -1>} {
  %mask = arith.constant 1 : i16
  tcgen05.commit %barrier multicast %mask
  ptx.ret
}

// -----

ptx.kernel @misspelt(%barrier : i32) {
  // CHECK: error: expected an operand, cta_group_1 or cta_group_2; found cta_grop_2
  // CHECK: help: did you mean cta_group_2?
  tcgen05.commit cta_grop_2 %barrier
  ptx.ret
}

// -----

ptx.kernel @misspelt_raw(%barrier : i32) {
  // CHECK: error: expected '[', multicast_mask or shared_cluster; found shared_clster
  // CHECK: help: did you mean shared_cluster?
  ptx.tcgen05.commit cta_group_1 shared_clster [%barrier]
  ptx.ret
}
