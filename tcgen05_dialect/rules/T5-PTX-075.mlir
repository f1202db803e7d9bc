// T5-PTX-075
// section: 11.7.1
// subject: CTAs of a cluster
// statement: The number of CTAs of a cluster is within the limit of the hardware.
// why: The launch fails.
// fix: use at most {max_ctas} CTAs

ptx.kernel @example() attributes {cluster_dims = array<i32: 32, 1, 1>} {
  ptx.ret
}

// -----

ptx.kernel @example() attributes {cluster_dims = array<i32: 16, 1, 1>} {
  ptx.ret
}
