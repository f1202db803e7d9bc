// One warp brings three tiles by TMA into a ring of one stage, from which another warp reads them.
//
// argument a: u32 3x32, box 32x1 no_swizzle
// argument out: u32 3x32
// result out: a

ptx.shared_memory @tile size 128 alignment 128
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @free size 8 alignment 8

ptx.kernel @tma_ring(%map : !ptx.tensor_map<1x32xu32>, %out : i64)
    attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %bytes = arith.constant 128 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  %free = ptx.address_of @free
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %from = ptx.mad u32 %lane, %c4, %tile
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {
    ptx.mbarrier.init [%loaded], %c1 // step: mbarrier.init [T5-SIM-008]
    // step: count of arrivals, half of them [T5-SIM-008] -> ptx.mbarrier.init [%free], %c16
    ptx.mbarrier.init [%free], %c32
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
  }
  ptx.bar.sync %c0 // step: barrier behind mbarrier.init [T5-SIM-017]
  scf.if %is_first_warp {
    scf.if %is_first {
      scf.for %i = %c0 to %c3 step %c1 : i32 {
        %parity = arith.andi %i, %c1 : i32
        %parity_before = arith.xori %parity, %c1 : i32
        // step: parity of the wait for the readers [T5-SIM-005] -> ptx.mbarrier.wait [%free], %parity
        // step: acquire of the wait for the readers [T5-SIM-014] -> ptx.mbarrier.wait relaxed cta [%free], %parity_before
        ptx.mbarrier.wait [%free], %parity_before // step: wait for the readers [T5-SIM-008]
        ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
        ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %i}, [%loaded] // step: copy [T5-SIM-005]
      }
    }
  } else {
    scf.for %i = %c0 to %c3 step %c1 : i32 {
      %parity = arith.andi %i, %c1 : i32
      // step: parity that changes from round to round [T5-SIM-022] -> ptx.mbarrier.wait [%loaded], %c0
      ptx.mbarrier.wait [%loaded], %parity // step: wait for the copy [T5-SIM-013]
      %v = ptx.ld "shared::cta" b32 [%from] -> i32
      // step: release of the arrival [T5-SIM-014] -> ptx.mbarrier.arrive relaxed cta [%free]
      ptx.mbarrier.arrive [%free] // step: arrival of the readers [T5-SIM-005]
      // mistake: a second arrival of each reader [T5-SIM-022] -> ptx.mbarrier.arrive [%free]
      %index = ptx.mad u32 %i, %c32, %lane
      %to = ptx.mad.wide u32 %index, %c4, %out
      ptx.st global b32 [%to], {%v}
    }
  }
  ptx.ret
}
