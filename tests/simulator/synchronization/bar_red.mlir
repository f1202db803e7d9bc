// Two warps exchange numbers at a barrier that also counts the large ones.
//
// argument a: u32 64
// argument count: u32 64
// argument flags: u32 64
// argument other: u32 64
// result count: np.full(64, (a > 32).sum())
// result flags: np.full(64, 2 * (a > 32).any() + (a > 32).all())
// result other: np.roll(a, 32)

ptx.shared_memory @stage size 256 alignment 4

ptx.kernel @bar_red(%a : i64, %count : i64, %flags : i64, %other : i64)
    attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c2 = ptx.constant 2 : i32
  %c4 = ptx.constant 4 : i32
  %c32 = ptx.constant 32 : i32
  %c64 = ptx.constant 64 : i32
  %stage = ptx.address_of @stage
  %thread = ptx.special_register tid.x
  %partner = ptx.xor b32 %thread, %c32
  %mine = ptx.mad u32 %thread, %c4, %stage
  %others = ptx.mad u32 %partner, %c4, %stage
  %from = ptx.mad.wide u32 %thread, %c4, %a
  %to_count = ptx.mad.wide u32 %thread, %c4, %count
  %to_flags = ptx.mad.wide u32 %thread, %c4, %flags
  %to_other = ptx.mad.wide u32 %thread, %c4, %other
  %v = ptx.ld global b32 [%from] -> i32
  %large = ptx.setp gt u32 %v, %c32
  ptx.st "shared::cta" b32 [%mine], {%v}
  // step: reduction of all threads, not of one warp, before the read [T5-SIM-013] -> %n = ptx.bar.red.popc %c0 threads(%c32), %large
  %n = ptx.bar.red.popc %c0 threads(%c64), %large
  %w = ptx.ld "shared::cta" b32 [%others] -> i32
  %any = ptx.bar.red or %c1, %large
  %all = ptx.bar.red and %c1, %large
  %low = ptx.selp b32 %c1, %c0, %all
  %high = ptx.selp b32 %c2, %c0, %any
  %both = ptx.add u32 %low, %high
  ptx.st global b32 [%to_count], {%n}
  ptx.st global b32 [%to_flags], {%both}
  ptx.st global b32 [%to_other], {%w}
  ptx.ret
}
