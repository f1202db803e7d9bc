// A warp writes four tiles in turn to two stages, from which one thread copies them out by TMA.
//
// argument a: u32 4x32
// argument out: u32 4x32, box 32x1 no_swizzle
// result out: a

ptx.shared_memory @stages size 256 alignment 128

ptx.kernel @tma_store_ring(%a : i64, %map : !ptx.tensor_map<1x32xu32>)
    attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %all_lanes = arith.constant -1 : i32
  %stages = ptx.address_of @stages
  %lane = ptx.special_register laneid
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    %index = ptx.mad u32 %i, %c32, %lane
    %from = ptx.mad.wide u32 %index, %c4, %a
    %v = ptx.ld global b32 [%from] -> i32
    %number = arith.andi %i, %c1 : i32
    %stage = ptx.mad u32 %number, %c128, %stages
    %mine = ptx.mad u32 %lane, %c4, %stage
    scf.if %elected {
      // The copy before the last one was from the other stage.
      // step: pending groups, one too many [T5-SIM-014] -> ptx.cp.async.bulk.wait_group read 2
      ptx.cp.async.bulk.wait_group read 1 // step: wait_group before the stage is written again [T5-SIM-014]
    }
    ptx.bar.warp.sync %all_lanes // step: bar.warp.sync before the stage is written again [T5-SIM-014]
    ptx.st "shared::cta" b32 [%mine], {%v}
    ptx.bar.warp.sync %all_lanes // step: bar.warp.sync before the copy [T5-SIM-014]
    scf.if %elected {
      // A fence of the thread that copies will do, too, where it is behind what synchronises.
      ptx.fence.proxy.async "shared::cta" // step: proxy fence before the copy [T5-SIM-015]
      ptx.cp.async.bulk.tensor.store %map, {%c0, %i}, [%stage]
      ptx.cp.async.bulk.commit_group // step: commit_group [T5-SIM-014]
    }
  }
  // step: pending groups of the last wait [T5-SIM-018] -> ptx.cp.async.bulk.wait_group read 1
  ptx.cp.async.bulk.wait_group read 0 // step: last wait_group [T5-SIM-018]
  ptx.ret
}
