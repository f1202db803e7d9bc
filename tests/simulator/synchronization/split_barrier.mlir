// A cluster whose CTAs do something of their own between their arrival at the barrier and the wait.
//
// argument a: u32 2x32
// argument own: u32 2x32
// argument other: u32 2x32
// result own: a + 1
// result other: a[::-1]

ptx.shared_memory @stage size 128 alignment 4

ptx.kernel @split_barrier(%a : i64, %own : i64, %other : i64)
    attributes {reqntid = array<i32: 32, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %stage = ptx.address_of @stage
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %peer = arith.xori %rank, %c1 : i32
  %index = ptx.mad u32 %rank, %c32, %lane
  %from = ptx.mad.wide u32 %index, %c4, %a
  %to_own = ptx.mad.wide u32 %index, %c4, %own
  %to_other = ptx.mad.wide u32 %index, %c4, %other
  %mine = ptx.mad u32 %lane, %c4, %stage
  %theirs = ptx.mapa %mine, %peer
  %v = ptx.ld global b32 [%from] -> i32
  ptx.st "shared::cta" b32 [%mine], {%v}
  // step: fence of a relaxed arrival [T5-SIM-014]
  ptx.fence acq_rel cluster
  ptx.barrier.cluster.arrive relaxed
  // mistake: a write between arrival and wait [T5-SIM-014] -> ptx.st "shared::cta" b32 [%mine], {%c1}
  %n = arith.addi %v, %c1 : i32
  ptx.st global b32 [%to_own], {%n}
  ptx.barrier.cluster.wait // step: wait at the cluster's barrier [T5-SIM-018]
  %w = ptx.ld "shared::cluster" b32 [%theirs] -> i32
  // step: second arrival [T5-SIM-008]
  ptx.barrier.cluster.arrive
  ptx.st global b32 [%to_other], {%w}
  ptx.barrier.cluster.wait // step: wait before the end [T5-SIM-018]
  ptx.ret
}
