// T5-SIM-053
// section: 9.7.13.16.1
// subject: request after a request that failed
// statement: A CTA that has read the response to a request that failed executes no further
//     clusterlaunchcontrol.try_cancel.
// why: The behaviour of a later request is undefined.
// fix: leave the loop of the requests when is_canceled does not hold
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
  %more = ptx.clusterlaunchcontrol.is_canceled %opaque
  ptx.cond_bra %more, ^loop(%now, %other : i32, i32), ^again
^again:
  ptx.mbarrier.arrive.expect_tx [%answered], %bytes
  ptx.clusterlaunchcontrol.try_cancel [%response], [%answered]
  ptx.mbarrier.wait [%answered], %other
  ptx.bra ^end
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
