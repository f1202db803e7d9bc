// rule: T5-SIM-022
// minimal form of expect_after_copies.wrong: the phase may end with the arrival of warp 1 before thread 0 expects the bytes
ptx.shared_memory @tile size 256 alignment 128
ptx.shared_memory @full size 8 alignment 8
ptx.kernel @k(%src : i64, %out : i64) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %size = arith.constant 256 : i32
  %tile = ptx.address_of @tile
  %full = ptx.address_of @full
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_other = arith.cmpi eq, %thread, %c32 : i32
  scf.if %is_first {
    ptx.mbarrier.init [%full], %c2
    ptx.fence.mbarrier_init
  }
  ptx.bar.sync %c0
  scf.if %is_other {
    ptx.mbarrier.arrive [%full]
    ptx.mbarrier.expect_tx [%full], %size
    ptx.cp.async.bulk.load [%tile], [%src], %size, [%full]
  }
  scf.if %is_first {
    ptx.mbarrier.arrive [%full]
  }
  ptx.mbarrier.wait [%full], %c0
  %at = ptx.mad u32 %thread, %c4, %tile
  %x = ptx.ld "shared::cta" b32 [%at] -> i32
  %to = ptx.mad.wide u32 %thread, %c4, %out
  ptx.st global b32 [%to], {%x}
  ptx.ret
}
