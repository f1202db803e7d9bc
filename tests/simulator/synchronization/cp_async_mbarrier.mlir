// A warp copies to shared memory; the completion of its copies arrives at a barrier object, at
// which another warp waits before a copy of its own reads the bytes through the async proxy.
//
// argument a: u32 32
// argument out: u32 1x32, box 32x1 no_swizzle
// result out: a[None]

ptx.shared_memory @stage size 128 alignment 128
ptx.shared_memory @full size 8 alignment 8

ptx.kernel @cp_async_mbarrier(%a : i64, %map : !ptx.tensor_map<1x32xu32>)
    attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c4 = ptx.constant 4 : i32
  %c32 = ptx.constant 32 : i32
  %stage = ptx.address_of @stage
  %full = ptx.address_of @full
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %mine = ptx.mad u32 %lane, %c4, %stage
  %from = ptx.mad.wide u32 %lane, %c4, %a
  %copies = ptx.setp lt u32 %thread, %c32
  %is_first = ptx.setp eq u32 %thread, %c0
  %is_first_lane = ptx.setp eq u32 %lane, %c0
  ptx.guard %is_first {
    ptx.mbarrier.init [%full], %c32
  }
  ptx.bar.sync %c0
  ptx.cond_bra %copies, ^copy, ^wait
^copy:
  ptx.cp.async ca [%mine], [%from], 4
  // step: increment of the expected arrivals [T5-SIM-005] -> ptx.cp.async.mbarrier.arrive [%full]
  // step: arrival before the copies complete [T5-SIM-014] -> ptx.mbarrier.arrive [%full]
  ptx.cp.async.mbarrier.arrive noinc [%full] // step: arrival of the copies [T5-SIM-005]
  ptx.ret
^wait:
  ptx.mbarrier.wait [%full], %c0 // step: wait for the copies [T5-SIM-014]
  ptx.fence.proxy.async "shared::cta" // step: proxy fence before the store [T5-SIM-015]
  ptx.guard %is_first_lane {
    ptx.cp.async.bulk.tensor.store %map, {%c0, %c0}, [%stage]
  }
  ptx.cp.async.bulk.commit_group
  ptx.cp.async.bulk.wait_group 0
  ptx.ret
}
