// Each CTA of a cluster adds to a number in the shared memory of the other one, copies its own tile
// there, and arrives at its barrier object, after a cluster barrier shows that the other CTA runs.
// Mistakes are found under every schedule.
//
// argument a: u32 2x32
// argument out: u32 2x32
// result out: a[::-1] + 1

ptx.shared_memory @mine size 128 alignment 16
ptx.shared_memory @theirs size 128 alignment 16
ptx.shared_memory @sum size 4 alignment 4
ptx.shared_memory @full size 8 alignment 8

ptx.kernel @peer_start(%a : i64, %out : i64)
    attributes {reqntid = array<i32: 32, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %all = arith.constant -1 : i32
  %mine = ptx.address_of @mine
  %theirs = ptx.address_of @theirs
  %sum = ptx.address_of @sum
  %full = ptx.address_of @full
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %other = arith.xori %rank, %c1 : i32
  %index = ptx.mad u32 %rank, %c32, %lane
  %from = ptx.mad.wide u32 %index, %c4, %a
  %to = ptx.mad.wide u32 %index, %c4, %out
  %my_word = ptx.mad u32 %lane, %c4, %mine
  %word = ptx.mad u32 %lane, %c4, %theirs
  %is_first = arith.cmpi eq, %lane, %c0 : i32
  %other_sum = ptx.mapa %sum, %other
  %other_tile = ptx.mapa %theirs, %other
  %other_full = ptx.mapa %full, %other
  %v = ptx.ld global b32 [%from] -> i32
  ptx.st "shared::cta" b32 [%my_word], {%v}
  scf.if %is_first {
    ptx.st "shared::cta" b32 [%sum], {%c0}
    ptx.mbarrier.init [%full], %c1
    ptx.fence.mbarrier_init
    ptx.mbarrier.arrive.expect_tx [%full], %c128
  }
  ptx.fence.proxy.async "shared::cta"
  ptx.bar.warp.sync %all
  // mistake: load before the peer runs [T5-SIM-018] -> %early = ptx.ld "shared::cluster" b32 [%other_sum] -> i32
  // mistake: store before the peer runs [T5-SIM-018] -> scf.if %is_first { ptx.st "shared::cluster" b32 [%other_sum], {%c1} }
  // mistake: reduction before the peer runs [T5-SIM-018] -> ptx.red relaxed cluster "shared::cluster" add u32 [%other_sum], %c1
  ptx.barrier.cluster.arrive ptx.barrier.cluster.wait // step: cluster barrier before the accesses [T5-SIM-018]
  scf.if %is_first {
    ptx.red relaxed cluster "shared::cluster" add u32 [%other_sum], %c1
    ptx.cp.async.bulk.remote [%other_tile], [%mine], %c128, [%other_full]
  }
  ptx.mbarrier.wait [%full], %c0
  ptx.barrier.cluster.arrive ptx.barrier.cluster.wait
  %w = ptx.ld "shared::cta" b32 [%word] -> i32
  %one = ptx.ld "shared::cta" b32 [%sum] -> i32
  %r = arith.addi %w, %one : i32
  ptx.st global b32 [%to], {%r}
  ptx.ret
}
