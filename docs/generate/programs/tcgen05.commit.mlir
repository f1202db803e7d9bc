ptx.kernel @example(%barrier : i32) attributes {cluster_dims = array<i32: 2>} {
  %both = arith.constant 3 : i16
  tcgen05.commit %barrier
  tcgen05.commit %barrier multicast %both
  ptx.ret
}
