// One warp allocates tensor memory, the other one uses it, and the first one frees it.
//
// argument a: u32 32x2
// argument out: u32 32x2
// result out: a

ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @alloc_handoff(%a : i64, %out : i64) attributes {reqntid = array<i32: 64, 1, 1>} {
  %columns = ptx.constant 64 : i32
  %half = ptx.constant 32 : i32
  %c0 = ptx.constant 0 : i32
  %c8 = ptx.constant 8 : i32
  %c32 = ptx.constant 32 : i32
  %lanes = ptx.constant 2097152 : i32
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %from = ptx.mad.wide u32 %lane, %c8, %a
  %to = ptx.mad.wide u32 %lane, %c8, %out
  %is_first = ptx.setp lt u32 %thread, %c32
  scf.if %is_first {
    // mistake: alloc behind relinquish_alloc_permit [T5-SIM-009] -> ptx.tcgen05.relinquish_alloc_permit cta_group_1
    ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns
    ptx.tcgen05.relinquish_alloc_permit cta_group_1
  }
  ptx.tcgen05.fence before_thread_sync
  ptx.bar.sync %c0 // step: barrier between alloc and the read of the address [T5-SIM-014]
  ptx.tcgen05.fence after_thread_sync
  %t = ptx.ld "shared::cta" b32 [%slot] -> i32
  // mistake: dealloc before the use [T5-SIM-014] -> scf.if %is_first { ptx.tcgen05.dealloc cta_group_1 %t, %columns }
  scf.if %is_first {
  } else {
    %mine = ptx.add s32 %t, %lanes
    %v:2 = ptx.ld global b32 [%from] -> 2 x i32
    ptx.tcgen05.st shape_32x32b x2 [%mine], {%v#0, %v#1}
    ptx.tcgen05.wait st // step: wait::st before the load [T5-SIM-014]
    %w:2 = ptx.tcgen05.ld shape_32x32b x2 [%mine] -> 2 x i32
    ptx.tcgen05.wait ld // step: wait::ld before the hand-off to the warp that frees [T5-SIM-014]
    ptx.st global b32 [%to], {%w#0, %w#1}
  }
  ptx.tcgen05.fence before_thread_sync
  ptx.bar.sync %c0 // step: barrier before dealloc [T5-SIM-014]
  ptx.tcgen05.fence after_thread_sync
  scf.if %is_first {
    // step: columns of dealloc, fewer than of alloc [T5-SIM-009] -> ptx.tcgen05.dealloc cta_group_1 %t, %half
    // mistake: dealloc a second time [T5-SIM-009] -> ptx.tcgen05.dealloc cta_group_1 %t, %columns
    ptx.tcgen05.dealloc cta_group_1 %t, %columns // step: dealloc [T5-SIM-009]
  }
  ptx.ret
}
