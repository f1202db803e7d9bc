ptx.kernel @example(%barrier : i32) attributes {cluster_dims = array<i32: 2, 1, 1>} {
  %mask = arith.constant 5 : i16
  tcgen05.commit %barrier multicast %mask
  ptx.ret
}

// -----

ptx.kernel @example(%barrier : i32) attributes {cluster_dims = array<i32: 2, 1, 1>} {
  %mask = arith.constant 3 : i16
  tcgen05.commit %barrier multicast %mask
  ptx.ret
}
