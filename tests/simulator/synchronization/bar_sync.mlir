// Two warps exchange numbers through shared memory, twice through the same bytes.
//
// argument a: u32 64
// argument first: u32 64
// argument second: u32 64
// result first: np.roll(a, 32)
// result second: np.roll(a, 32) + 1

ptx.shared_memory @stage size 256 alignment 4

ptx.kernel @bar_sync(%a : i64, %first : i64, %second : i64)
    attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c2 = ptx.constant 2 : i32
  %c4 = ptx.constant 4 : i32
  %c32 = ptx.constant 32 : i32
  %stage = ptx.address_of @stage
  %thread = ptx.special_register tid.x
  %other = ptx.xor b32 %thread, %c32
  %offset = ptx.shl b32 %thread, %c2
  %mine = ptx.add s32 %stage, %offset
  %other_offset = ptx.shl b32 %other, %c2
  %others = ptx.add s32 %stage, %other_offset
  %from = ptx.mad.wide u32 %thread, %c4, %a
  %to_first = ptx.mad.wide u32 %thread, %c4, %first
  %to_second = ptx.mad.wide u32 %thread, %c4, %second
  %v = ptx.ld global b32 [%from] -> i32
  %n = ptx.add s32 %v, %c1
  ptx.st "shared::cta" b32 [%mine], {%v}
  // step: barrier of all threads, not of one warp, before the first read [T5-SIM-013] -> ptx.bar.sync %c0 threads(%c32)
  ptx.bar.sync %c0 // step: barrier before the first read [T5-SIM-013]
  %w = ptx.ld "shared::cta" b32 [%others] -> i32
  ptx.bar.sync %c0 // step: barrier before the second write [T5-SIM-014]
  ptx.st "shared::cta" b32 [%mine], {%n}
  ptx.bar.sync %c0 // step: barrier before the second read [T5-SIM-014]
  %x = ptx.ld "shared::cta" b32 [%others] -> i32
  ptx.st global b32 [%to_first], {%w}
  ptx.st global b32 [%to_second], {%x}
  ptx.ret
}
