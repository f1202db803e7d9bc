ptx.kernel @example() attributes {cluster_dims = array<i32: 32, 1, 1>} {
  ptx.ret
}

// -----

ptx.kernel @example() attributes {cluster_dims = array<i32: 16, 1, 1>} {
  ptx.ret
}
