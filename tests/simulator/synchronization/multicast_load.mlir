// One CTA brings a tile by TMA to both CTAs of a cluster.
//
// argument a: u32 1x32, box 32x1 no_swizzle
// argument out: u32 2x32
// result out: np.vstack([a, a])

ptx.shared_memory @tile size 128 alignment 128
ptx.shared_memory @loaded size 8 alignment 8

ptx.kernel @multicast_load(%map : !ptx.tensor_map<1x32xu32>, %out : i64)
    attributes {reqntid = array<i32: 32, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c2 = ptx.constant 2 : i32
  %c4 = ptx.constant 4 : i32
  %c32 = ptx.constant 32 : i32
  %bytes = ptx.constant 128 : i32
  %both = ptx.constant 3 : i16
  %only_first = ptx.constant 1 : i16
  %only_second = ptx.constant 2 : i16
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %offset = ptx.shl b32 %lane, %c2
  %from = ptx.add s32 %tile, %offset
  %index = ptx.mad u32 %rank, %c32, %lane
  %to = ptx.mad.wide u32 %index, %c4, %out
  %is_first_lane = ptx.setp eq u32 %lane, %c0
  %is_first_cta = ptx.setp eq u32 %rank, %c0
  scf.if %is_first_lane {
    ptx.mbarrier.init [%loaded], %c1
    ptx.fence.mbarrier_init ptx.fence.proxy.async "shared::cta" // step: fence behind mbarrier.init [T5-SIM-017]
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes // step: arrival that expects bytes [T5-SIM-005]
  }
  ptx.barrier.cluster.arrive
  // step: wait at the cluster's barrier behind mbarrier.init [T5-SIM-008]
  ptx.barrier.cluster.wait
  // mistake: end of the peer before the copy comes [T5-SIM-018] -> ptx.guard not %is_first_cta { ptx.exit }
  %issues = ptx.and pred %is_first_lane, %is_first_cta
  scf.if %issues {
    // step: mask, without the peer [T5-SIM-005] -> ptx.cp.async.bulk.tensor.load multicast_mask(%only_first) [%tile], %map, {%c0, %c0}, [%loaded]
    // step: mask, without the own CTA [T5-SIM-005] -> ptx.cp.async.bulk.tensor.load multicast_mask(%only_second) [%tile], %map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load multicast_mask(%both) [%tile], %map, {%c0, %c0}, [%loaded]
  }
  ptx.mbarrier.wait [%loaded], %c0 // step: wait for the copy [T5-SIM-013]
  %v = ptx.ld "shared::cta" b32 [%from] -> i32
  ptx.st global b32 [%to], {%v}
  ptx.ret
}
