// rule: T5-SIM-022
// flashinfer#4638 review: (negative in .fixed) expect_tx follows the copies; thread 0's own arrival keeps the phase open.
// .wrong: thread 0 has arrived before it expects the bytes, so the phase may end early
ptx.shared_memory @tile size 512 alignment 128
ptx.shared_memory @full size 8 alignment 8
ptx.kernel @k(%src : i64, %out : i64) attributes {reqntid = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c128 = arith.constant 128 : i32
  %size = arith.constant 512 : i32
  %tile = ptx.address_of @tile
  %full = ptx.address_of @full
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {
    ptx.mbarrier.init [%full], %c128
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
  }
  ptx.bar.sync %c0
  ptx.mbarrier.arrive [%full]
  scf.if %is_first {
    ptx.mbarrier.expect_tx [%full], %size
    ptx.cp.async.bulk.load [%tile], [%src], %size, [%full]
  }
  ptx.mbarrier.wait [%full], %c0
  %at = ptx.mad u32 %thread, %c4, %tile
  %x = ptx.ld "shared::cta" b32 [%at] -> i32
  %to = ptx.mad.wide u32 %thread, %c4, %out
  ptx.st global b32 [%to], {%x}
  ptx.ret
}
