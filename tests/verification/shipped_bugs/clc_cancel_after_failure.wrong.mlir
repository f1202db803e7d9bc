// rule: T5-SIM-053
ptx.shared_memory @slot size 16 alignment 16
ptx.shared_memory @full size 8 alignment 8
ptx.shared_memory @empty size 8 alignment 8
ptx.kernel @k(%out : i64) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c2 = ptx.constant 2 : i32
  %c4 = ptx.constant 4 : i32
  %c32 = ptx.constant 32 : i32
  %bytes = ptx.constant 16 : i32
  %all = ptx.constant -1 : i32
  %slot = ptx.address_of @slot
  %full = ptx.address_of @full
  %empty = ptx.address_of @empty
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %tile = ptx.special_register ctaid.x
  %is_first = ptx.setp eq u32 %thread, %c0
  %lane0 = ptx.setp eq u32 %lane, %c0
  %is_scheduler = ptx.setp lt u32 %thread, %c32
  ptx.guard %is_first {
    ptx.mbarrier.init [%full], %c1
    ptx.mbarrier.init [%empty], %c2
    ptx.fence.mbarrier_init
  }
  ptx.bar.sync %c0
  ptx.cond_bra %is_scheduler, ^sched(%c0, %c1 : i32, i32), ^work(%tile, %c0 : i32, i32)
^sched(%p : i32, %q : i32):
  ptx.mbarrier.wait [%empty], %q
  ptx.guard %lane0 {
    ptx.mbarrier.arrive.expect_tx [%full], %bytes
    ptx.clusterlaunchcontrol.try_cancel [%slot], [%full]
  }
  ptx.mbarrier.wait [%full], %p
  %sr = ptx.ld "shared::cta" b128 [%slot] -> i128
  %smore = ptx.clusterlaunchcontrol.is_canceled %sr
  ptx.fence.proxy.async "shared::cta"
  ptx.bar.warp.sync %all
  ptx.guard %lane0 {
    ptx.mbarrier.arrive [%empty]
  }
  %p2 = ptx.xor b32 %p, %c1
  %q2 = ptx.xor b32 %q, %c1
  ptx.cond_bra %smore, ^sched(%p2, %q2 : i32, i32), ^tail(%p2, %q2 : i32, i32)
^work(%now : i32, %parity : i32):
  %to = ptx.mad.wide u32 %now, %c4, %out
  ptx.guard %lane0 {
    ptx.st global b32 [%to], {%now}
  }
  ptx.mbarrier.wait [%full], %parity
  %r = ptx.ld "shared::cta" b128 [%slot] -> i128
  ptx.fence.proxy.async "shared::cta"
  ptx.bar.warp.sync %all
  ptx.guard %lane0 {
    ptx.mbarrier.arrive [%empty]
  }

  %more = ptx.clusterlaunchcontrol.is_canceled %r
  %next = ptx.clusterlaunchcontrol.first_cta x %r
  %other = ptx.xor b32 %parity, %c1
  ptx.cond_bra %more, ^work(%next, %other : i32, i32), ^end
^tail(%tp : i32, %tq : i32):
  ptx.mbarrier.wait [%empty], %tq
  ptx.guard %lane0 {
    ptx.mbarrier.arrive.expect_tx [%full], %bytes
    ptx.clusterlaunchcontrol.try_cancel [%slot], [%full]
  }
  ptx.mbarrier.wait [%full], %tp
  ptx.bra ^end
^end:
  ptx.ret
}
