// One thread copies a tile by TMA; all threads of two warps read it.
//
// argument a: u32 1x64, box 64x1 no_swizzle
// argument out: u32 64
// result out: a[0]

ptx.shared_memory @tile size 256 alignment 128
ptx.shared_memory @loaded size 8 alignment 8

ptx.kernel @tma_load(%map : !ptx.tensor_map, %out : i64)
    attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c2 = ptx.constant 2 : i32
  %c4 = ptx.constant 4 : i32
  %bytes = ptx.constant 256 : i32
  %fewer = ptx.constant 128 : i32
  %more = ptx.constant 512 : i32
  %most = ptx.constant 1048575 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  %thread = ptx.special_register tid.x
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %offset = ptx.shl b32 %thread, %c2
  %from = ptx.add s32 %tile, %offset
  %is_first = ptx.setp eq u32 %thread, %c0
  scf.if %is_first {
    // step: count of arrivals, one too many [T5-SIM-005] -> ptx.mbarrier.init [%loaded], %c2
    ptx.mbarrier.init [%loaded], %c1 // step: mbarrier.init [T5-SIM-008]
    ptx.fence.mbarrier_init ptx.fence.proxy.async "shared::cta" // step: fence behind mbarrier.init [T5-SIM-033]
    // mistake: bytes expected, more than can be counted [T5-SIM-008] -> ptx.mbarrier.expect_tx [%loaded], %most
    // step: bytes expected, fewer than come [T5-SIM-005] -> ptx.mbarrier.arrive.expect_tx [%loaded], %fewer
    // step: bytes expected, more than come [T5-SIM-005] -> ptx.mbarrier.arrive.expect_tx [%loaded], %more
    // step: bytes expected, none [T5-SIM-014] -> ptx.mbarrier.arrive [%loaded]
    // step: arrival beside the bytes expected [T5-SIM-005] -> ptx.mbarrier.expect_tx [%loaded], %bytes
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    // mistake: an arrival too many [T5-SIM-008] -> ptx.mbarrier.arrive [%loaded]
    ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %c0}, [%loaded]
  }
  ptx.bar.sync %c0 // step: barrier between mbarrier.init and the wait of others [T5-SIM-017]
  // step: parity of the wait [T5-SIM-014] -> ptx.mbarrier.wait [%loaded], %c1
  // step: loop around try_wait [T5-SIM-014] -> %done = ptx.mbarrier.try_wait.parity [%loaded], %c0
  // step: acquire of the wait [T5-SIM-014] -> ptx.mbarrier.wait relaxed cta [%loaded], %c0
  ptx.mbarrier.wait [%loaded], %c0 // step: wait for the copy [T5-SIM-014]
  %v = ptx.ld "shared::cta" b32 [%from] -> i32
  ptx.st global b32 [%to], {%v}
  ptx.ret
}
