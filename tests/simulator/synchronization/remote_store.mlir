// A CTA writes to the shared memory of the other one, and arrives there.
//
// argument a: u32 32
// argument out: u32 32
// result out: a

ptx.shared_memory @stage size 128 alignment 4
ptx.shared_memory @written size 8 alignment 8

ptx.kernel @remote_store(%a : i64, %out : i64)
    attributes {reqntid = array<i32: 32, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %stage = ptx.address_of @stage
  %written = ptx.address_of @written
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %from = ptx.mad.wide u32 %lane, %c4, %a
  %to = ptx.mad.wide u32 %lane, %c4, %out
  %mine = ptx.mad u32 %lane, %c4, %stage
  %is_first_lane = arith.cmpi eq, %lane, %c0 : i32
  %is_first_cta = arith.cmpi eq, %rank, %c0 : i32
  scf.if %is_first_lane {
    ptx.mbarrier.init [%written], %c32
    ptx.fence.mbarrier_init // step: fence behind mbarrier.init [T5-SIM-017]
  }
  ptx.barrier.cluster.arrive relaxed ptx.barrier.cluster.wait // step: cluster barrier behind mbarrier.init [T5-SIM-017]
  scf.if %is_first_cta {
    // step: parity of the wait [T5-SIM-022] -> ptx.mbarrier.wait acquire cluster [%written], %c1
    // step: acquire of the wait [T5-SIM-014] -> ptx.mbarrier.wait relaxed cluster [%written], %c0
    ptx.mbarrier.wait acquire cluster [%written], %c0 // step: wait for the other CTA [T5-SIM-014]
    %v = ptx.ld "shared::cta" b32 [%mine] -> i32
    ptx.st global b32 [%to], {%v}
  } else {
    %theirs = ptx.mapa %mine, %c0
    %their_written = ptx.mapa %written, %c0
    %v = ptx.ld global b32 [%from] -> i32
    ptx.st "shared::cluster" b32 [%theirs], {%v}
    // step: release of the arrival [T5-SIM-014] -> ptx.mbarrier.arrive.remote relaxed cluster [%their_written]
    // step: arrival at the other CTA's barrier [T5-SIM-005] -> ptx.mbarrier.arrive [%written]
    ptx.mbarrier.arrive.remote release cluster [%their_written] // step: arrival [T5-SIM-005]
  }
  ptx.ret
}
