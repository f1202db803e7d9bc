// Two spare warps end, one early and one late, before the others exchange numbers through shared
// memory. A barrier without a number of threads does not wait for them.
//
// argument a: u32 128
// argument out: u32 64
// result out: np.roll(a[:64], 32)

ptx.shared_memory @stage size 512 alignment 4

ptx.kernel @ended_warps(%a : i64, %out : i64) attributes {reqntid = array<i32: 128, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c2 = ptx.constant 2 : i32
  %c4 = ptx.constant 4 : i32
  %c32 = ptx.constant 32 : i32
  %c64 = ptx.constant 64 : i32
  %c96 = ptx.constant 96 : i32
  %c128 = ptx.constant 128 : i32
  %stage = ptx.address_of @stage
  %thread = ptx.special_register tid.x
  %is_last = arith.cmpi uge, %thread, %c96 : i32
  ptx.guard %is_last { ptx.exit }
  %offset = ptx.shl b32 %thread, %c2
  %mine = ptx.add s32 %stage, %offset
  %from = ptx.mad.wide u32 %thread, %c4, %a
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %v = ptx.ld global b32 [%from] -> i32
  ptx.st "shared::cta" b32 [%mine], {%v}
  %is_spare = arith.cmpi uge, %thread, %c64 : i32
  scf.if %is_spare {
    scf.for %i = %c0 to %c64 step %c2 : i32 {
      ptx.nanosleep %c128
    }
  }
  ptx.guard %is_spare { ptx.exit }
  // step: barrier of the threads that have not ended [T5-SIM-005] -> ptx.bar.sync %c0 threads(%c128)
  ptx.bar.sync %c0
  // step: barrier between the threads that exchange numbers [T5-SIM-014] -> %other = ptx.xor b32 %thread, %c64
  %other = ptx.xor b32 %thread, %c32
  %other_offset = ptx.shl b32 %other, %c2
  %others = ptx.add s32 %stage, %other_offset
  %w = ptx.ld "shared::cta" b32 [%others] -> i32
  ptx.st global b32 [%to], {%w}
  ptx.ret
}
