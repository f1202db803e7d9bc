// A warp writes to shared memory and arrives at a barrier object, where another warp waits; then
// the same bytes become another barrier object, for the way back.
//
// argument a: u32 32
// argument first: u32 32
// argument second: u32 32
// result first: a
// result second: a + 1

ptx.shared_memory @stage size 128 alignment 4
ptx.shared_memory @barrier size 8 alignment 8

ptx.kernel @mbarrier_arrive(%a : i64, %first : i64, %second : i64)
    attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c33 = arith.constant 33 : i32
  %stage = ptx.address_of @stage
  %barrier = ptx.address_of @barrier
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %mine = ptx.mad u32 %lane, %c4, %stage
  %from = ptx.mad.wide u32 %lane, %c4, %a
  %to_first = ptx.mad.wide u32 %lane, %c4, %first
  %to_second = ptx.mad.wide u32 %lane, %c4, %second
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {
    // step: count of arrivals, one too few [T5-SIM-008] -> ptx.mbarrier.init [%barrier], %c31
    // step: count of arrivals, one too many [T5-SIM-005] -> ptx.mbarrier.init [%barrier], %c33
    ptx.mbarrier.init [%barrier], %c32 // step: mbarrier.init [T5-SIM-008]
  }
  ptx.bar.sync %c0 // step: barrier behind mbarrier.init [T5-SIM-017]
  scf.if %is_first_warp {
    %v = ptx.ld global b32 [%from] -> i32
    ptx.st "shared::cta" b32 [%mine], {%v}
    // step: release of the arrival [T5-SIM-014] -> ptx.mbarrier.arrive relaxed cta [%barrier]
    ptx.mbarrier.arrive [%barrier] // step: arrival of the writers [T5-SIM-005]
  } else {
    // step: parity of the wait [T5-SIM-013] -> ptx.mbarrier.wait [%barrier], %c1
    // step: acquire of the wait [T5-SIM-014] -> ptx.mbarrier.wait relaxed cta [%barrier], %c0
    ptx.mbarrier.wait [%barrier], %c0 // step: wait for the writers [T5-SIM-013]
    %v = ptx.ld "shared::cta" b32 [%mine] -> i32
    ptx.st global b32 [%to_first], {%v}
  }
  ptx.bar.sync %c0 // step: barrier before the bytes become another barrier object [T5-SIM-014]
  scf.if %is_first {
    ptx.mbarrier.inval [%barrier] // step: mbarrier.inval before the next mbarrier.init [T5-SIM-008]
    // step: second mbarrier.init [T5-SIM-008]
    ptx.mbarrier.init [%barrier], %c32
    // mistake: mbarrier.inval before the use [T5-SIM-008] -> ptx.mbarrier.inval [%barrier]
  }
  ptx.bar.sync %c0 // step: barrier behind the second mbarrier.init [T5-SIM-014]
  scf.if %is_first_warp {
    ptx.mbarrier.wait [%barrier], %c0 // step: wait on the way back [T5-SIM-014]
    %v = ptx.ld "shared::cta" b32 [%mine] -> i32
    ptx.st global b32 [%to_second], {%v}
  } else {
    %v = ptx.ld "shared::cta" b32 [%mine] -> i32
    %n = arith.addi %v, %c1 : i32
    ptx.st "shared::cta" b32 [%mine], {%n}
    ptx.mbarrier.arrive [%barrier] // step: arrival on the way back [T5-SIM-005]
    // mistake: an access of the bytes of the barrier object [T5-SIM-008] -> ptx.st "shared::cta" b32 [%barrier], {%c0}
  }
  ptx.ret
}
