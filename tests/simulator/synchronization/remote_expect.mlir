// The first CTA of a cluster expects the bytes that the second one copies for itself.
//
// argument a: u32 1x32, box 32x1 no_swizzle
// argument out: u32 32
// result out: a[0]

ptx.shared_memory @tile size 128 alignment 128
ptx.shared_memory @loaded size 8 alignment 8

ptx.kernel @remote_expect(%map : !ptx.tensor_map<1x32xu32>, %out : i64)
    attributes {reqntid = array<i32: 32, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c2 = ptx.constant 2 : i32
  %c4 = ptx.constant 4 : i32
  %half = ptx.constant 64 : i32
  %bytes = ptx.constant 128 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %offset = ptx.shl b32 %lane, %c2
  %from = ptx.add s32 %tile, %offset
  %to = ptx.mad.wide u32 %lane, %c4, %out
  %is_first_lane = ptx.setp eq u32 %lane, %c0
  %is_first_cta = ptx.setp eq u32 %rank, %c0
  scf.if %is_first_lane {
    ptx.mbarrier.init [%loaded], %c1
    ptx.fence.mbarrier_init
  }
  ptx.barrier.cluster.arrive
  // step: wait at the cluster's barrier behind mbarrier.init [T5-SIM-008]
  ptx.barrier.cluster.wait
  ptx.cond_bra %is_first_cta, ^expect, ^copy
^expect:
  %there = ptx.mapa %loaded, %c1
  ptx.guard %is_first_lane {
    ptx.mbarrier.expect_tx.remote [%there], %half
    // step: bytes that are expected [T5-SIM-005] -> ptx.mbarrier.arrive.expect_tx.remote [%there], %bytes
    ptx.mbarrier.arrive.expect_tx.remote [%there], %half // step: arrival from the other CTA [T5-SIM-005]
  }
  ptx.bra ^end
^copy:
  ptx.guard %is_first_lane {
    ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %c0}, [%loaded]
  }
  ptx.mbarrier.wait [%loaded], %c0 // step: wait for the copy [T5-SIM-014]
  %v = ptx.ld "shared::cta" b32 [%from] -> i32
  ptx.st global b32 [%to], {%v}
  ptx.bra ^end
^end:
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  ptx.ret
}
