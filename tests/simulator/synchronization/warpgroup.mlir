// Two warpgroups hand on registers. The second raises its number at two places of the program, with
// the same number in all warps; then it waits for what the first one writes.
// Mistakes are found under every schedule.
//
// argument a: u32 128
// argument out: u32 128
// result out: a + 1

ptx.shared_memory @tile size 512 alignment 4
ptx.shared_memory @written size 8 alignment 8

ptx.kernel @warpgroup(%a : i64, %out : i64) attributes {maxnreg = 136 : i32, reqntid = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %c127 = arith.constant 127 : i32
  %c128 = arith.constant 128 : i32
  %c192 = arith.constant 192 : i32
  %all_lanes = arith.constant -1 : i32
  %tile = ptx.address_of @tile
  %written = ptx.address_of @written
  %thread = ptx.special_register tid.x
  %index = ptx.and b32 %thread, %c127
  %from = ptx.mad.wide u32 %index, %c4, %a
  %to = ptx.mad.wide u32 %index, %c4, %out
  %mine = ptx.mad u32 %index, %c4, %tile
  // step: one thread for mbarrier.init [T5-SIM-008] -> %is_first = arith.cmpi ult, %thread, %c4 : i32
  // step: one warp for mbarrier.init [T5-SIM-008] -> %is_first = arith.cmpi eq, %index, %c0 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  %is_writer = arith.cmpi ult, %thread, %c128 : i32
  %is_third_pair = arith.cmpi ult, %thread, %c192 : i32
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %is_first {
    ptx.mbarrier.init [%written], %c128
  }
  ptx.bar.sync %c0
  scf.if %is_writer {
    // step: all lanes for setmaxnreg [T5-SIM-004] -> scf.if %elected { ptx.setmaxnreg dec 40 }
    // step: all warps for setmaxnreg [T5-SIM-024] -> scf.if %is_first_warp { ptx.setmaxnreg dec 40 }
    // mistake: a second setmaxnreg by one warp [T5-SIM-024] -> scf.if %is_first_warp { ptx.setmaxnreg dec 48 }
    ptx.setmaxnreg dec 40
    %v = ptx.ld global b32 [%from] -> i32
    ptx.st "shared::cta" b32 [%mine], {%v}
    ptx.mbarrier.arrive [%written]
  } else {
    scf.if %is_third_pair {
      // step: same action of setmaxnreg [T5-SIM-024] -> ptx.setmaxnreg dec 136
      // step: same number of registers [T5-SIM-024] -> ptx.setmaxnreg inc 224
      ptx.setmaxnreg inc 232 // step: setmaxnreg of two warps [T5-SIM-024]
    } else {
      ptx.setmaxnreg inc 232
    }
    ptx.mbarrier.wait [%written], %c0
    %v = ptx.ld "shared::cta" b32 [%mine] -> i32
    %sum = arith.addi %v, %c1 : i32
    ptx.st global b32 [%to], {%sum}
  }
  ptx.ret
}
