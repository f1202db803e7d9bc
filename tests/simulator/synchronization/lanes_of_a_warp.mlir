// Two lanes of a warp hand a number to each other: the first waits for the second, which comes later
// in the program. Threads of a warp make progress independently (3.1).
//
// argument a: u32 3
// argument out: u32 3
// result out: a + 1

ptx.shared_memory @number size 4 alignment 4
ptx.shared_memory @written size 8 alignment 8
ptx.shared_memory @read size 8 alignment 8

ptx.kernel @lanes_of_a_warp(%a : i64, %out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %all_lanes = arith.constant -1 : i32
  %number = ptx.address_of @number
  %written = ptx.address_of @written
  %read = ptx.address_of @read
  %lane = ptx.special_register laneid
  %reads = arith.cmpi eq, %lane, %c0 : i32
  %writes = arith.cmpi eq, %lane, %c1 : i32
  scf.if %reads {
    ptx.mbarrier.init [%written], %c1
    ptx.mbarrier.init [%read], %c1
  }
  ptx.bar.warp.sync %all_lanes // step: barrier behind mbarrier.init [T5-SIM-017]
  scf.for %i = %c0 to %c3 step %c1 : i32 {
    %parity = arith.andi %i, %c1 : i32
    %parity_before = arith.xori %parity, %c1 : i32
    scf.if %reads {
      ptx.mbarrier.wait [%written], %parity // step: wait for the number [T5-SIM-013]
      %v = ptx.ld "shared::cta" b32 [%number] -> i32
      ptx.mbarrier.arrive [%read] // step: arrival of the reader [T5-SIM-005]
      %n = arith.addi %v, %c1 : i32
      %to = ptx.mad.wide u32 %i, %c4, %out
      ptx.st global b32 [%to], {%n}
    }
    scf.if %writes {
      ptx.mbarrier.wait [%read], %parity_before // step: wait for the reader [T5-SIM-022]
      %from = ptx.mad.wide u32 %i, %c4, %a
      %v = ptx.ld global b32 [%from] -> i32
      ptx.st "shared::cta" b32 [%number], {%v}
      ptx.mbarrier.arrive [%written] // step: arrival of the writer [T5-SIM-005]
    }
  }
  ptx.ret
}
