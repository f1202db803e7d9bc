// Two warps write rows, each row to its own place, and tell a third warp of each round by a phase
// of a barrier object. Only the phases need an order.
//
// argument a: u32 8x32
// argument out: u32 8x32
// result out: a

ptx.shared_memory @rows size 1024 alignment 128
ptx.shared_memory @ready size 8 alignment 8
ptx.shared_memory @seen size 8 alignment 8

ptx.kernel @phases(%a : i64, %out : i64) attributes {reqntid = array<i32: 96, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %rows = ptx.address_of @rows
  %ready = ptx.address_of @ready
  %seen = ptx.address_of @seen
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %writes = arith.cmpi ult, %thread, %c64 : i32
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {
    // step: count of arrivals, of one writer only [T5-SIM-022] -> ptx.mbarrier.init [%ready], %c32
    ptx.mbarrier.init [%ready], %c64
    ptx.mbarrier.init [%seen], %c32
  }
  ptx.bar.sync %c0
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    %parity = arith.andi %i, %c1 : i32
    %parity_before = arith.xori %parity, %c1 : i32
    scf.if %writes {
      %index = ptx.mad u32 %i, %c64, %thread
      %from = ptx.mad.wide u32 %index, %c4, %a
      %v = ptx.ld global b32 [%from] -> i32
      %row = ptx.mad u32 %index, %c4, %rows
      ptx.st "shared::cta" b32 [%row], {%v}
      // step: wait of the second writer [T5-SIM-022] -> scf.if %is_first_warp { ptx.mbarrier.wait [%seen], %parity_before }
      // step: parity of the wait for the reader [T5-SIM-005] -> ptx.mbarrier.wait [%seen], %parity
      ptx.mbarrier.wait [%seen], %parity_before // step: wait for the reader [T5-SIM-022]
      // mistake: a second arrival of the writers [T5-SIM-022] -> ptx.mbarrier.arrive [%ready]
      ptx.mbarrier.arrive [%ready] // step: arrival of the writers [T5-SIM-005]
    } else {
      // step: parity of the wait for the writers [T5-SIM-014] -> ptx.mbarrier.wait [%ready], %c0
      ptx.mbarrier.wait [%ready], %parity // step: wait for the writers [T5-SIM-013]
      %first = ptx.mad u32 %i, %c64, %lane
      %second = arith.addi %first, %c32 : i32
      %first_row = ptx.mad u32 %first, %c4, %rows
      %second_row = ptx.mad u32 %second, %c4, %rows
      %v = ptx.ld "shared::cta" b32 [%first_row] -> i32
      %w = ptx.ld "shared::cta" b32 [%second_row] -> i32
      ptx.mbarrier.arrive [%seen] // step: arrival of the reader [T5-SIM-005]
      %to = ptx.mad.wide u32 %first, %c4, %out
      %to_second = ptx.mad.wide u32 %second, %c4, %out
      ptx.st global b32 [%to], {%v}
      ptx.st global b32 [%to_second], {%w}
    }
  }
  ptx.ret
}
