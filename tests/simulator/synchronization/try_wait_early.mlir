// A warp looks whether two tiles have come by TMA, and waits only for those that have not. A thread
// tries a few times to see a phase end that only its own arrival can end.
//
// argument a: u32 2x32, box 32x1 no_swizzle
// argument out: u32 2x32
// result out: a

ptx.shared_memory @tiles size 256 alignment 128
ptx.shared_memory @loaded size 16 alignment 8
ptx.shared_memory @lone size 8 alignment 8

ptx.kernel @try_wait_early(%map : !ptx.tensor_map<1x32xu32>, %out : i64)
    attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %all_lanes = arith.constant -1 : i32
  %false = arith.constant false
  %true = arith.constant true
  %tiles = ptx.address_of @tiles
  %loaded = ptx.address_of @loaded
  %lone = ptx.address_of @lone
  %lane = ptx.special_register laneid
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%lone], %c1
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %barrier = ptx.mad u32 %i, %c8, %loaded
      ptx.mbarrier.init [%barrier], %c1
    }
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %barrier = ptx.mad u32 %i, %c8, %loaded
      %tile = ptx.mad u32 %i, %c128, %tiles
      ptx.mbarrier.arrive.expect_tx [%barrier], %c128
      ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %i}, [%barrier]
    }
    %is_over = scf.for %i = %c0 to %c4 step %c1 iter_args(%was_over = %false) -> (i1) : i32 {
      %is_over_now = ptx.mbarrier.try_wait.parity [%lone], %c0
      %either = arith.ori %was_over, %is_over_now : i1
      scf.yield %either : i1
    }
    ptx.mbarrier.arrive [%lone]
    %unused = ptx.mbarrier.try_wait.parity [%lone], %c0
    ptx.mbarrier.arrive [%lone]
    ptx.guard %is_over {
      ptx.trap
    }
  }
  ptx.bar.warp.sync %all_lanes
  scf.for %i = %c0 to %c2 step %c1 : i32 {
    %barrier = ptx.mad u32 %i, %c8, %loaded
    // step: use of the result [T5-SIM-014] -> %done = ptx.mbarrier.try_wait.parity [%barrier], %c0 %has_come = arith.constant true
    %has_come = ptx.mbarrier.try_wait.parity [%barrier], %c0
    %has_not_come = arith.xori %has_come, %true : i1
    scf.if %has_not_come {
      ptx.mbarrier.wait [%barrier], %c0 // step: wait for a tile that has not come [T5-SIM-014]
    }
    %index = ptx.mad u32 %i, %c32, %lane
    %from = ptx.mad u32 %index, %c4, %tiles
    %v = ptx.ld "shared::cta" b32 [%from] -> i32
    %to = ptx.mad.wide u32 %index, %c4, %out
    ptx.st global b32 [%to], {%v}
  }
  ptx.ret
}
