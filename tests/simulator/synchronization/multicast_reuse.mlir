// One CTA brings two tiles by TMA to the same bytes of both CTAs; it waits until both have read
// the first one.
//
// argument a: u32 2x32, box 32x1 no_swizzle
// argument out: u32 2x2x32
// result out: np.stack([a, a])

ptx.shared_memory @tile size 128 alignment 128
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @free size 8 alignment 8

ptx.kernel @multicast_reuse(%map : !ptx.tensor_map<1x32xu32>, %out : i64)
    attributes {reqntid = array<i32: 32, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %bytes = arith.constant 128 : i32
  %both = arith.constant 3 : i16
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  %free = ptx.address_of @free
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %from = ptx.mad u32 %lane, %c4, %tile
  %is_first_lane = arith.cmpi eq, %lane, %c0 : i32
  %is_first_cta = arith.cmpi eq, %rank, %c0 : i32
  %issues = arith.andi %is_first_lane, %is_first_cta : i1
  scf.if %is_first_lane {
    ptx.mbarrier.init [%loaded], %c1
    // step: count of arrivals, of one CTA only [T5-SIM-014] -> ptx.mbarrier.init [%free], %c32
    ptx.mbarrier.init [%free], %c64
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async
  }
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  // The barrier that counts readers is the first CTA's.
  %first_free = ptx.mapa %free, %c0
  scf.for %i = %c0 to %c2 step %c1 : i32 {
    scf.if %is_first_lane {
      ptx.mbarrier.arrive.expect_tx [%loaded], %bytes // step: arrival that expects bytes [T5-SIM-005]
    }
    scf.if %issues {
      %parity_before = arith.xori %i, %c1 : i32
      // step: acquire of the wait [T5-SIM-014] -> ptx.mbarrier.wait relaxed cluster [%free], %parity_before
      ptx.mbarrier.wait acquire cluster [%free], %parity_before // step: wait until all have read [T5-SIM-014]
      ptx.cp.async.bulk.tensor.load multicast_mask(%both) [%tile], %map, {%c0, %i}, [%loaded]
    }
    // step: parity of the wait for the copy [T5-SIM-013] -> ptx.mbarrier.wait [%loaded], %c1
    ptx.mbarrier.wait [%loaded], %i // step: wait for the copy [T5-SIM-013]
    %v = ptx.ld "shared::cta" b32 [%from] -> i32
    // step: release of the arrival [T5-SIM-014] -> ptx.mbarrier.arrive.remote relaxed cluster [%first_free]
    ptx.mbarrier.arrive.remote release cluster [%first_free] // step: arrival of the readers [T5-SIM-005]
    %row = ptx.mad u32 %rank, %c2, %i
    %index = ptx.mad u32 %row, %c32, %lane
    %to = ptx.mad.wide u32 %index, %c4, %out
    ptx.st global b32 [%to], {%v}
  }
  // The first CTA must be there until the second one's arrivals have come.
  ptx.barrier.cluster.arrive ptx.barrier.cluster.wait // step: cluster barrier before the end [T5-SIM-018]
  ptx.ret
}
