// T5-PTX-079
// section: 9.7.9.25.5.2, 9.7.16.12.1
// subject: CTA mask
// statement: Each bit that is set in the CTA mask belongs to a CTA of the cluster.
// why: A bit for a CTA that does not exist would name memory that no CTA owns.
// fix: set only bits of CTAs in the cluster

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
