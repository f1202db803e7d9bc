// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx,tcgen05-verify | filecheck %s
// RUN: tcgen05 check --verify off %s > %t.findings
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
    // The lanes meet again after the branch.
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

// Each lane may have an own barrier object, and each thread of a CTA may arrive once.
// CHECK-LABEL: ptx.kernel @barriers
ptx.shared_memory @own size 256 alignment 8
ptx.shared_memory @common size 8 alignment 8
ptx.kernel @barriers() attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c32 = arith.constant 32 : i32
  %thread = ptx.special_register tid.x
  %own = ptx.address_of @own
  %common = ptx.address_of @common
  %barrier = ptx.mad u32 %thread, %c8, %own
  ptx.mbarrier.init [%barrier], %c1
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {
    ptx.mbarrier.init [%common], %c32
  }
  ptx.bar.sync %c0
  ptx.mbarrier.arrive [%barrier]
  ptx.mbarrier.arrive [%common]
  ptx.ret
}

// Of a launch without required extents, nothing is known: it may have one thread.
// CHECK-LABEL: ptx.kernel @one_thread
ptx.kernel @one_thread(%t : i32, %a : i64, %b : i64) {
  %idesc = arith.constant 138413200 : i32
  %no = arith.constant false
  ptx.tcgen05.mma cta_group_1 f16 [%t], %a, %b, %idesc, %no
  ptx.ret
}

// No thread executes the instructions of a warp that does not exist.
// CHECK-LABEL: ptx.kernel @no_warp
ptx.shared_memory @arrivals size 8 alignment 8
ptx.kernel @no_warp(%flag : i32) attributes {reqntid = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c6 = arith.constant 6 : i32
  %c32 = arith.constant 32 : i32
  %all_lanes = arith.constant -1 : i32
  %never = arith.constant false
  %always = arith.constant true
  %arrivals = ptx.address_of @arrivals
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {
    ptx.mbarrier.init [%arrivals], %c1
  }
  %warp = arith.divui %thread, %c32 : i32
  %is_warp_6 = arith.cmpi eq, %warp, %c6 : i32
  scf.if %is_warp_6 {
    ptx.mbarrier.arrive [%arrivals]
  }
  ptx.guard %is_warp_6 {
    ptx.mbarrier.arrive [%arrivals]
  }
  %flag_is_set = arith.cmpi ne, %flag, %c0 : i32
  %both = arith.andi %is_warp_6, %flag_is_set : i1
  scf.if %both {
    ptx.bar.sync %c0
  }
  %leader, %elected = ptx.elect.sync %all_lanes
  %elected_and_never = arith.andi %elected, %never : i1
  scf.if %elected_and_never {
    ptx.bar.sync %c0
  }
  %elected_or_always = arith.ori %elected, %always : i1
  scf.if %elected_or_always {
    ptx.bar.sync %c0
  } else {
    ptx.bar.sync %c0
  }
  ptx.ret
}

// Each lane stores through a tensor map of its own.
// CHECK-LABEL: ptx.kernel @maps
ptx.shared_memory @tile size 1024 alignment 128
ptx.kernel @maps(%maps : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %map_bytes = arith.constant 128 : i32
  %tile = ptx.address_of @tile
  %thread = ptx.special_register tid.x
  %map = ptx.mad.wide u32 %thread, %map_bytes, %maps
  ptx.cp.async.bulk.tensor.store %map, {%c0, %c0}, [%tile]
  ptx.ret
}
