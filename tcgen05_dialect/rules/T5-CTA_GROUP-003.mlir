// T5-CTA_GROUP-003
// section: 9.7.16.5
// subject: number of CTAs of the cluster
// statement: A kernel with cta_group::2 runs in clusters of whole CTA pairs.
// why: A CTA without its peer waits forever in the first collective instruction of the pair.
// fix: launch the kernel in clusters that consist of whole CTA pairs

ptx.kernel @example(%slot : i32, %columns : i32) attributes {cluster_dims = array<i32: 1, 3>} {
  tcgen05.alloc cta_group_2 %slot, %columns
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32, %columns : i32) attributes {cluster_dims = array<i32: 2, 3>} {
  tcgen05.alloc cta_group_2 %slot, %columns
  ptx.ret
}
