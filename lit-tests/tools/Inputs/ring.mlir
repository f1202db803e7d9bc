// Tiles come into a ring of two stages; two warps read each tile.
ptx.shared_memory @tiles size 256 alignment 128
ptx.shared_memory @loaded size 16 alignment 8
ptx.shared_memory @free size 16 alignment 8

ptx.kernel @ring(%map : !ptx.tensor_map<1x32xu32>, %out : i64)
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
    %next_phase = arith.select %wraps, %other_phase, %phase : i32
    scf.if %copies {
      ptx.mbarrier.wait [%f], %other_phase
      ptx.mbarrier.arrive.expect_tx [%l], %bytes
      ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %i}, [%l]
    }
    scf.if %reads {
      ptx.mbarrier.wait [%l], %phase
      %from = ptx.mad u32 %lane, %c4, %tile
      %v = ptx.ld "shared::cta" b32 [%from] -> i32
      ptx.bar.sync %c1 threads(%c64)
      %is_later = arith.cmpi ne, %i, %c0 : i32
      %before = ptx.mad u32 %next_stage, %c8, %free
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
