// One lane prepares, and all lanes of the warp meet before they use tensor memory together.
//
// argument a: u32 32
// argument out: u32 32
// result out: a + a[0]

ptx.shared_memory @slot size 4 alignment 4
ptx.shared_memory @common size 4 alignment 4

ptx.kernel @warp_collective(%a : i64, %out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %columns = ptx.constant 32 : i32
  %c4 = ptx.constant 4 : i32
  %c0 = ptx.constant 0 : i32
  %all_lanes = ptx.constant -1 : i32
  %slot = ptx.address_of @slot
  %common = ptx.address_of @common
  %lane = ptx.special_register laneid
  %from = ptx.mad.wide u32 %lane, %c4, %a
  %to = ptx.mad.wide u32 %lane, %c4, %out
  %leader, %elected = ptx.elect.sync %all_lanes
  // mistake: alloc by one lane [T5-SIM-004] -> scf.if %elected { ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns }
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns
  // mistake: relinquish_alloc_permit by one lane [T5-SIM-004] -> scf.if %elected { ptx.tcgen05.relinquish_alloc_permit cta_group_1 }
  %t = ptx.ld "shared::cta" b32 [%slot] -> i32
  scf.if %elected {
    %first = ptx.ld global b32 [%a] -> i32
    ptx.st "shared::cta" b32 [%common], {%first}
    // mistake: elect.sync by one lane [T5-SIM-004] -> %other_leader, %other_elected = ptx.elect.sync %all_lanes
    // mistake: bar.sync by one lane [T5-SIM-004] -> ptx.bar.sync %c0
    // mistake: bar.warp.sync whose mask leaves out the lane that runs it [T5-SIM-004] -> ptx.bar.warp.sync %c0
    // mistake: fence of the cluster's barrier by one lane [T5-SIM-004] -> ptx.barrier.cluster.arrive aligned
  }
  ptx.bar.warp.sync %all_lanes // step: bar.warp.sync between lanes [T5-SIM-014]
  %v = ptx.ld global b32 [%from] -> i32
  %x = ptx.ld "shared::cta" b32 [%common] -> i32
  %sum = ptx.add s32 %v, %x
  // mistake: a branch of one lane before st [T5-SIM-030] -> scf.if %elected { ptx.nanosleep %c4 }
  // mistake: st by one lane [T5-SIM-004] -> scf.if %elected { ptx.tcgen05.st shape_32x32b x1 [%t], {%sum} }
  ptx.tcgen05.st shape_32x32b x1 [%t], {%sum}
  // mistake: wait::st by one lane [T5-SIM-004] -> scf.if %elected { ptx.tcgen05.wait st }
  ptx.tcgen05.wait st
  // mistake: ld by one lane [T5-SIM-004] -> scf.if %elected { %x1 = ptx.tcgen05.ld shape_32x32b x1 [%t] -> i32 }
  %w = ptx.tcgen05.ld shape_32x32b x1 [%t] -> i32
  ptx.tcgen05.wait ld
  ptx.st global b32 [%to], {%w}
  // mistake: exit of a lane before dealloc [T5-SIM-004] -> ptx.guard %elected { ptx.exit }
  // step: dealloc by all lanes [T5-SIM-004] -> scf.if %elected { ptx.tcgen05.dealloc cta_group_1 %t, %columns }
  ptx.tcgen05.dealloc cta_group_1 %t, %columns
  ptx.ret
}
