// Each CTA of a cluster reads what the other one has in shared memory. Of three warps, one ends
// early, and one ends after its first arrival and without a wait. The barrier of the cluster does
// not wait for threads that have ended.
//
// argument a: u32 2x32
// argument out: u32 2x32
// result out: a[::-1]

ptx.shared_memory @stage size 128 alignment 4

ptx.kernel @ended_threads(%a : i64, %out : i64)
    attributes {reqntid = array<i32: 96, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %stage = ptx.address_of @stage
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %is_last = arith.cmpi uge, %thread, %c64 : i32
  ptx.guard %is_last { ptx.exit }
  %is_second = arith.cmpi uge, %thread, %c32 : i32
  ptx.guard %is_second {
    ptx.barrier.cluster.arrive
    ptx.exit
  }
  %other = arith.xori %rank, %c1 : i32
  %index = ptx.mad u32 %rank, %c32, %lane
  %from = ptx.mad.wide u32 %index, %c4, %a
  %to = ptx.mad.wide u32 %index, %c4, %out
  %mine = ptx.mad u32 %lane, %c4, %stage
  %theirs = ptx.mapa %mine, %other
  %v = ptx.ld global b32 [%from] -> i32
  ptx.st "shared::cta" b32 [%mine], {%v}
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait // step: wait for the write of the other CTA [T5-SIM-018]
  %w = ptx.ld "shared::cluster" b32 [%theirs] -> i32
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait // step: wait for the read of the other CTA [T5-SIM-018]
  ptx.st global b32 [%to], {%w}
  ptx.ret
}
