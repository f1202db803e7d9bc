ptx.kernel @example(%slot : i32, %columns : i32) attributes {cluster_dims = array<i32: 1, 3>} {
  tcgen05.alloc cta_group_2 %slot, %columns
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32, %columns : i32) attributes {cluster_dims = array<i32: 2, 3>} {
  tcgen05.alloc cta_group_2 %slot, %columns
  ptx.ret
}
