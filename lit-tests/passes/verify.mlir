// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx,tcgen05-verify | filecheck %s
// RUN: tcgen05 check %s > %t.findings
// RUN: test ! -s %t.findings

// Whole warps go each way, whatever the condition is made of.
// CHECK-LABEL: ptx.kernel @warps
ptx.kernel @warps(%slot : i32, %n : i32) attributes {reqntid = array<i32: 192, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c32 = arith.constant 32 : i32
  %c96 = arith.constant 96 : i32
  %c31 = arith.constant 31 : i32
  %c128 = arith.constant 128 : i32
  %all_lanes = arith.constant -1 : i32
  %thread = ptx.special_register tid.x
  %warp = arith.divui %thread, %c32 : i32
  %uniform_warp, %in_range = ptx.shfl.sync idx %warp, %c0, %c31, %all_lanes
  %is_low = arith.cmpi ult, %thread, %c96 : i32
  scf.if %is_low {
    ptx.bar.sync %c0 threads(%c96)
  }
  %is_last = arith.cmpi eq, %uniform_warp, %c5 : i32
  scf.if %is_last {
    tcgen05.alloc %slot, %c128
    // The lanes meet again behind the branch.
    %leader, %elected = ptx.elect.sync %all_lanes
    scf.if %elected {
      ptx.st "shared::cta" b32 [%slot + 4], {%c0}
    }
    tcgen05.relinquish_alloc_permit
  }
  scf.for %i = %warp to %n step %c1 : i32 {
    ptx.bar.warp.sync %all_lanes
    %leader, %elected = ptx.elect.sync %all_lanes
  }
  ptx.ret
}

// The lanes may agree on data.
// CHECK-LABEL: ptx.kernel @data
ptx.kernel @data(%p : i64) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %thread = ptx.special_register tid.x
  %place = ptx.mad.wide u32 %thread, %c4, %p
  %v = ptx.ld global b32 [%place] -> i32
  %is_zero = arith.cmpi eq, %v, %c0 : i32
  scf.if %is_zero {
    ptx.tcgen05.wait ld
  }
  ptx.ret
}

// All lanes that have not ended execute bar.sync.
// CHECK-LABEL: ptx.kernel @ended
ptx.kernel @ended() attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c40 = arith.constant 40 : i32
  %thread = ptx.special_register tid.x
  %is_high = arith.cmpi uge, %thread, %c40 : i32
  ptx.guard %is_high {
    ptx.exit
  }
  ptx.bar.sync %c0
  ptx.ret
}

// The mask of elect.sync has the lanes that execute it.
// CHECK-LABEL: ptx.kernel @halves
ptx.kernel @halves() attributes {reqntid = array<i32: 64, 1, 1>} {
  %c16 = arith.constant 16 : i32
  %low_lanes = arith.constant 0xFFFF : i32
  %lane = ptx.special_register laneid
  %is_low = arith.cmpi ult, %lane, %c16 : i32
  scf.if %is_low {
    %leader, %elected = ptx.elect.sync %low_lanes
  }
  ptx.ret
}
