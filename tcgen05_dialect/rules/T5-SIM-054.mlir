// T5-SIM-054
// section: 9.7.13.16.2
// subject: coordinates of the first CTA of a cancelled cluster
// statement: Addresses and conditions depend on the coordinates in a response only if is_canceled
//     holds for the response.
// why: If no launch was cancelled, the coordinates are undefined.
// fix: test is_canceled before the coordinates are used
// shown by: run

ptx.shared_memory @response size 16 alignment 16
ptx.shared_memory @answered size 8 alignment 8
ptx.kernel @example() attributes {reqntid = array<i32: 1, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %bytes = ptx.constant 16 : i32
  %response = ptx.address_of @response
  %answered = ptx.address_of @answered
  %tile = ptx.special_register ctaid.x
  ptx.mbarrier.init [%answered], %c1
  ptx.fence.mbarrier_init
  ptx.bra ^loop(%tile, %c0 : i32, i32)
^loop(%now : i32, %parity : i32):
  ptx.mbarrier.arrive.expect_tx [%answered], %bytes
  ptx.clusterlaunchcontrol.try_cancel [%response], [%answered]
  ptx.mbarrier.wait [%answered], %parity
  %opaque = ptx.ld "shared::cta" b128 [%response] -> i128
  ptx.fence.proxy.async "shared::cta"
  %other = ptx.xor b32 %parity, %c1
  %next = ptx.clusterlaunchcontrol.first_cta x %opaque
  %last = ptx.special_register nctaid.x
  %more = ptx.setp lt u32 %next, %last
  ptx.cond_bra %more, ^loop(%next, %other : i32, i32), ^end
^end:
  ptx.ret
}

// -----

ptx.shared_memory @response size 16 alignment 16
ptx.shared_memory @answered size 8 alignment 8
ptx.kernel @example() attributes {reqntid = array<i32: 1, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %bytes = ptx.constant 16 : i32
  %response = ptx.address_of @response
  %answered = ptx.address_of @answered
  %tile = ptx.special_register ctaid.x
  ptx.mbarrier.init [%answered], %c1
  ptx.fence.mbarrier_init
  ptx.bra ^loop(%tile, %c0 : i32, i32)
^loop(%now : i32, %parity : i32):
  ptx.mbarrier.arrive.expect_tx [%answered], %bytes
  ptx.clusterlaunchcontrol.try_cancel [%response], [%answered]
  ptx.mbarrier.wait [%answered], %parity
  %opaque = ptx.ld "shared::cta" b128 [%response] -> i128
  ptx.fence.proxy.async "shared::cta"
  %other = ptx.xor b32 %parity, %c1
  %next = ptx.clusterlaunchcontrol.first_cta x %opaque
  %more = ptx.clusterlaunchcontrol.is_canceled %opaque
  ptx.cond_bra %more, ^loop(%next, %other : i32, i32), ^end
^end:
  ptx.ret
}
