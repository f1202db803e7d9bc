// Tiles come by TMA into a ring of two stages; stage and phase rotate from round to round. Two warps
// read each tile, and free a stage one round after they have read it.
//
// argument a: u32 7x32, box 32x1 no_swizzle
// argument out: u32 2x7x32
// result out: np.stack([a, a])

ptx.shared_memory @tiles size 256 alignment 128
ptx.shared_memory @loaded size 16 alignment 8
ptx.shared_memory @free size 16 alignment 8

ptx.kernel @rotated_ring(%map : !ptx.tensor_map<1x32xu32>, %out : i64)
    attributes {reqntid = array<i32: 96, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %bytes = arith.constant 128 : i32
  %tiles = ptx.address_of @tiles
  %loaded = ptx.address_of @loaded
  %free = ptx.address_of @free
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %reads = arith.cmpi ult, %thread, %c64 : i32
  %reader = arith.divui %thread, %c32 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %copies = arith.cmpi eq, %thread, %c64 : i32
  scf.if %is_first {
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %l = ptx.mad u32 %i, %c8, %loaded
      %f = ptx.mad u32 %i, %c8, %free
      ptx.mbarrier.init [%l], %c1
      // step: count of arrivals, of one reader only [T5-SIM-022] -> ptx.mbarrier.init [%f], %c32
      ptx.mbarrier.init [%f], %c64
    }
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
  }
  ptx.bar.sync %c0
  %last:2 = scf.for %i = %c0 to %c7 step %c1
      iter_args(%stage = %c0, %phase = %c0) -> (i32, i32) : i32 {
    %l = ptx.mad u32 %stage, %c8, %loaded
    %f = ptx.mad u32 %stage, %c8, %free
    %tile = ptx.mad u32 %stage, %bytes, %tiles
    %one_more = arith.addi %stage, %c1 : i32
    %wraps = arith.cmpi eq, %one_more, %c2 : i32
    %next_stage = arith.select %wraps, %c0, %one_more : i32
    %other_phase = arith.xori %phase, %c1 : i32
    // step: phase that changes with each stage [T5-SIM-013] -> %next_phase = arith.xori %phase, %c1 : i32
    // step: phase that never changes [T5-SIM-008] -> %next_phase = arith.addi %phase, %c0 : i32
    %next_phase = arith.select %wraps, %other_phase, %phase : i32
    scf.if %copies {
      // step: parity of the wait for the readers [T5-SIM-005] -> ptx.mbarrier.wait [%f], %phase
      ptx.mbarrier.wait [%f], %other_phase // step: wait for the readers [T5-SIM-008]
      ptx.mbarrier.arrive.expect_tx [%l], %bytes
      ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %i}, [%l]
    }
    scf.if %reads {
      // step: phase of the next round [T5-SIM-014] -> ptx.mbarrier.wait [%l], %next_phase
      ptx.mbarrier.wait [%l], %phase
      %from = ptx.mad u32 %lane, %c4, %tile
      %v = ptx.ld "shared::cta" b32 [%from] -> i32
      %is_later = arith.cmpi ne, %i, %c0 : i32
      // step: stage that is free, the one just read [T5-SIM-005] -> %before = ptx.mad u32 %stage, %c8, %free
      %before = ptx.mad u32 %next_stage, %c8, %free
      // step: first round, in which no stage is free [T5-SIM-022] -> scf.if %reads {
      scf.if %is_later {
        ptx.mbarrier.arrive [%before]
      }
      %row = ptx.mad u32 %reader, %c7, %i
      %index = ptx.mad u32 %row, %c32, %lane
      %to = ptx.mad.wide u32 %index, %c4, %out
      ptx.st global b32 [%to], {%v}
    }
    scf.yield %next_stage, %next_phase : i32, i32
  }
  ptx.ret
}
