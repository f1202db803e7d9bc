// Two warps exchange numbers through global memory.
//
// argument a: u32 64
// argument middle: u32 64
// argument out: u32 64
// result middle: a
// result out: np.roll(a, 32)

ptx.kernel @global_barrier(%a : i64, %middle : i64, %out : i64)
    attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c4 = ptx.constant 4 : i32
  %c32 = ptx.constant 32 : i32
  %thread = ptx.special_register tid.x
  %other = ptx.xor b32 %thread, %c32
  %from = ptx.mad.wide u32 %thread, %c4, %a
  %mine = ptx.mad.wide u32 %thread, %c4, %middle
  %others = ptx.mad.wide u32 %other, %c4, %middle
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %v = ptx.ld global b32 [%from] -> i32
  ptx.st global b32 [%mine], {%v}
  ptx.bar.sync %c0 // step: barrier before the read [T5-SIM-014]
  %w = ptx.ld global b32 [%others] -> i32
  ptx.st global b32 [%to], {%w}
  ptx.ret
}
