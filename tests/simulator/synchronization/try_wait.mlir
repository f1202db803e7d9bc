// A thread asks again and again whether a tile has come by TMA.
//
// argument a: u32 1x32, box 32x1 no_swizzle
// argument out: u32 32
// result out: a[0]

ptx.shared_memory @tile size 128 alignment 128
ptx.shared_memory @loaded size 8 alignment 8

ptx.kernel @try_wait(%map : !ptx.tensor_map<1x32xu32>, %out : i64)
    attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c4 = ptx.constant 4 : i32
  %bytes = ptx.constant 128 : i32
  %all_lanes = ptx.constant -1 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  %lane = ptx.special_register laneid
  %from = ptx.mad u32 %lane, %c4, %tile
  %to = ptx.mad.wide u32 %lane, %c4, %out
  %leader, %elected = ptx.elect.sync %all_lanes
  ptx.guard %elected {
    ptx.mbarrier.init [%loaded], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %c0}, [%loaded] // step: copy [T5-SIM-005]
  }
  ptx.bar.warp.sync %all_lanes // step: bar.warp.sync between mbarrier.init and the wait of others [T5-SIM-017]
  ptx.bra ^wait
^wait:
  // step: acquire of the wait [T5-SIM-014] -> %done = ptx.mbarrier.try_wait.parity relaxed cta [%loaded], %c0
  // step: parity of the wait [T5-SIM-014] -> %done = ptx.mbarrier.try_wait.parity [%loaded], %c1
  %done = ptx.mbarrier.try_wait.parity [%loaded], %c0
  // step: loop around try_wait [T5-SIM-014] -> ptx.bra ^read
  ptx.cond_bra %done, ^read, ^wait
^read:
  %v = ptx.ld "shared::cta" b32 [%from] -> i32
  ptx.st global b32 [%to], {%v}
  ptx.ret
}
