// Of each warp one lane waits and arrives for all of it: it brings a tile that two warps change in
// place, one after the other, and copies it out.
//
// argument a: u32 1x32, box 32x1 no_swizzle
// argument out: u32 1x32, box 32x1 no_swizzle
// result out: a + 3

ptx.shared_memory @tile size 128 alignment 128
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @changed size 8 alignment 8

ptx.kernel @warp_leaders(%a_map : !ptx.tensor_map<1x32xu32>, %out_map : !ptx.tensor_map<1x32xu32>)
    attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %bytes = arith.constant 128 : i32
  %all_lanes = arith.constant -1 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  %changed = ptx.address_of @changed
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %mine = ptx.mad u32 %lane, %c4, %tile
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_leader = arith.cmpi eq, %lane, %c0 : i32
  scf.if %is_first {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%changed], %c1
    ptx.fence.proxy.async "shared::cta" // step: fence behind mbarrier.init [T5-SIM-017]
    // The bytes may be expected after the copy has begun.
    ptx.cp.async.bulk.tensor.load [%tile], %a_map, {%c0, %c0}, [%loaded]
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes // step: arrival that expects bytes [T5-SIM-005]
  }
  ptx.bar.sync %c0 // step: barrier behind mbarrier.init [T5-SIM-017]
  scf.if %is_first_warp {
    scf.if %is_leader {
      ptx.mbarrier.wait [%loaded], %c0 // step: wait for the tile [T5-SIM-014]
    }
    ptx.bar.warp.sync %all_lanes // step: bar.warp.sync behind the wait for the tile [T5-SIM-014]
    %v = ptx.ld "shared::cta" b32 [%mine] -> i32
    %n = arith.addi %v, %c1 : i32
    ptx.st "shared::cta" b32 [%mine], {%n}
    ptx.bar.warp.sync %all_lanes // step: bar.warp.sync before the arrival [T5-SIM-014]
    scf.if %is_leader {
      ptx.mbarrier.arrive [%changed] // step: arrival of the first warp [T5-SIM-005]
    }
  } else {
    scf.if %is_leader {
      ptx.mbarrier.wait [%changed], %c0 // step: wait for the first warp [T5-SIM-014]
    }
    ptx.bar.warp.sync %all_lanes // step: bar.warp.sync behind the wait for the first warp [T5-SIM-014]
    %v = ptx.ld "shared::cta" b32 [%mine] -> i32
    %n = arith.addi %v, %c2 : i32
    ptx.st "shared::cta" b32 [%mine], {%n}
    ptx.fence.proxy.async "shared::cta" // step: proxy fence before the copy [T5-SIM-015]
    ptx.bar.warp.sync %all_lanes // step: bar.warp.sync before the copy [T5-SIM-014]
    scf.if %is_leader {
      ptx.cp.async.bulk.tensor.store %out_map, {%c0, %c0}, [%tile]
      ptx.cp.async.bulk.commit_group
      ptx.cp.async.bulk.wait_group 0 // step: wait_group [T5-SIM-018]
    }
  }
  ptx.ret
}
