// T5-SIM-018
// section: 5.1.7
// subject: access to the shared memory of a running CTA
// statement: An access to the shared memory of another CTA comes after the start of that CTA, and a
//     CTA ends only after the last access to its shared memory.
// why: Before and after, the memory may belong to another CTA, whose data the access would destroy.
// fix: make the CTA wait before it ends: at barrier.cluster, or for the copies
// shown by: run

ptx.shared_memory @word size 4 alignment 4
ptx.kernel @example() attributes {cluster_dims = array<i32: 2, 1, 1>, reqntid = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : i32
  %word = ptx.address_of @word
  %rank = ptx.special_register cluster_ctarank
  %other = arith.xori %rank, %c1 : i32
  %remote = ptx.mapa %word, %other
  ptx.st "shared::cluster" b32 [%remote], {%rank}
  ptx.ret
}

// -----

ptx.shared_memory @word size 4 alignment 4
ptx.kernel @example() attributes {cluster_dims = array<i32: 2, 1, 1>, reqntid = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : i32
  %word = ptx.address_of @word
  %rank = ptx.special_register cluster_ctarank
  %other = arith.xori %rank, %c1 : i32
  %remote = ptx.mapa %word, %other
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  ptx.st "shared::cluster" b32 [%remote], {%rank}
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  ptx.ret
}
