// A lane arrives for its whole warp; the threads of another warp arrive themselves, and wait for
// the phase of their arrival.
//
// argument a: u32 32
// argument out: u32 32
// result out: a

ptx.shared_memory @stage size 128 alignment 4
ptx.shared_memory @barrier size 8 alignment 8

ptx.kernel @mbarrier_state(%a : i64, %out : i64) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c4 = ptx.constant 4 : i32
  %c31 = ptx.constant 31 : i32
  %c32 = ptx.constant 32 : i32
  %c64 = ptx.constant 64 : i32
  %limit = ptx.constant 1000 : i32
  %all = ptx.constant -1 : i32
  %stage = ptx.address_of @stage
  %barrier = ptx.address_of @barrier
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %mine = ptx.mad u32 %lane, %c4, %stage
  %from = ptx.mad.wide u32 %lane, %c4, %a
  %to = ptx.mad.wide u32 %lane, %c4, %out
  %writes = ptx.setp lt u32 %thread, %c32
  %is_first = ptx.setp eq u32 %thread, %c0
  ptx.guard %is_first {
    ptx.mbarrier.init [%barrier], %c64
  }
  ptx.bar.sync %c0
  ptx.cond_bra %writes, ^write, ^arrive
^write:
  %v = ptx.ld global b32 [%from] -> i32
  ptx.st "shared::cta" b32 [%mine], {%v}
  ptx.bar.warp.sync %all // step: meeting of the warp before one lane arrives for it [T5-SIM-014]
  // step: count of the arrival, one too few [T5-SIM-005] -> ptx.guard %is_first { ptx.mbarrier.arrive [%barrier] count(%c31) }
  // step: count of the arrival, too large [T5-SIM-008] -> ptx.guard %is_first { ptx.mbarrier.arrive [%barrier] count(%c64) }
  // step: arrival of the writers [T5-SIM-005]
  ptx.guard %is_first { ptx.mbarrier.arrive [%barrier] count(%c32) }
  ptx.ret
^arrive:
  %state = ptx.mbarrier.arrive.state [%barrier]
  ptx.bra ^wait
^wait:
  // step: acquire of the wait [T5-SIM-014] -> %over = ptx.mbarrier.try_wait relaxed cta [%barrier], %state
  %over = ptx.mbarrier.try_wait [%barrier], %state time_limit(%limit)
  ptx.cond_bra %over, ^test, ^wait
^test:
  %is_over = ptx.mbarrier.test_wait relaxed cta [%barrier], %state
  %also_over = ptx.mbarrier.test_wait.parity relaxed cta [%barrier], %c0
  %w = ptx.ld "shared::cta" b32 [%mine] -> i32
  %chosen = ptx.selp b32 %w, %c0, %is_over
  %value = ptx.selp b32 %chosen, %c0, %also_over
  ptx.st global b32 [%to], {%value}
  ptx.ret
}
