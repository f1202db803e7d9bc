// One warp writes and arrives at a barrier, where the other one waits to read; and back again.
//
// argument a: u32 32
// argument out: u32 32
// result out: a + 1

ptx.shared_memory @stage size 128 alignment 4
ptx.shared_memory @back size 128 alignment 4

ptx.kernel @bar_arrive(%a : i64, %out : i64) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c1 = ptx.constant 1 : i32
  %c2 = ptx.constant 2 : i32
  %c4 = ptx.constant 4 : i32
  %c32 = ptx.constant 32 : i32
  %c64 = ptx.constant 64 : i32
  %c96 = ptx.constant 96 : i32
  %stage = ptx.address_of @stage
  %back = ptx.address_of @back
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %offset = ptx.shl b32 %lane, %c2
  %there = ptx.add s32 %stage, %offset
  %here = ptx.add s32 %back, %offset
  %from = ptx.mad.wide u32 %lane, %c4, %a
  %to = ptx.mad.wide u32 %lane, %c4, %out
  %is_first = ptx.setp lt u32 %thread, %c32
  scf.if %is_first {
    %v = ptx.ld global b32 [%from] -> i32
    ptx.st "shared::cta" b32 [%there], {%v}
    // step: number of threads of the barrier [T5-SIM-008] -> ptx.bar.arrive %c1, %c96
    ptx.bar.arrive %c1, %c64 // step: arrival of the writer [T5-SIM-005]
    ptx.bar.sync %c2 threads(%c64) // step: wait for the answer [T5-SIM-013]
    %w = ptx.ld "shared::cta" b32 [%here] -> i32
    ptx.st global b32 [%to], {%w}
  } else {
    // step: wait of the reader [T5-SIM-014] -> ptx.bar.arrive %c1, %c64
    ptx.bar.sync %c1 threads(%c64)
    %v = ptx.ld "shared::cta" b32 [%there] -> i32
    %n = ptx.add s32 %v, %c1
    ptx.st "shared::cta" b32 [%here], {%n}
    ptx.bar.arrive %c2, %c64 // step: arrival with the answer [T5-SIM-005]
  }
  ptx.ret
}
