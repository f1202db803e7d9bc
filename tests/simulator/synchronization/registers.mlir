// Two warpgroups compute, and a third one gives up the registers that they take.
// Mistakes are found under every schedule.
//
// argument a: u32 256
// argument out: u32 256
// result out: a + 1

ptx.kernel @registers(%a : i64, %out : i64) attributes {maxnreg = 160 : i32, reqntid = array<i32: 384, 1, 1>} {
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %thread = ptx.special_register tid.x
  %from = ptx.mad.wide u32 %thread, %c4, %a
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %is_first = arith.cmpi ult, %thread, %c128 : i32
  %computes = arith.cmpi ult, %thread, %c256 : i32
  scf.if %computes {
    // step: more registers than the other warps give up [T5-SIM-052] -> ptx.setmaxnreg inc 240
    ptx.setmaxnreg inc 216
    %v = ptx.ld global b32 [%from] -> i32
    %sum = arith.addi %v, %c1 : i32
    ptx.st global b32 [%to], {%sum}
    // step: inc to fewer registers than the warp has [T5-SIM-052] -> ptx.setmaxnreg inc 200
    ptx.setmaxnreg inc 216
  } else {
    // step: too few registers given up [T5-SIM-052] -> ptx.setmaxnreg dec 56
    ptx.setmaxnreg dec 48
  }
  ptx.ret
}
