// T5-SIM-052
// section: 9.7.19.5
// subject: registers of a warp at setmaxnreg
// statement: A warp raises its number of registers with setmaxnreg.inc, and lowers it with
//     setmaxnreg.dec. The warps of a CTA take at most the registers that other warps have given up.
// why: A change in the other direction is undefined. setmaxnreg.inc waits until the registers are
//     free, or forever.
// fix: lower the number of registers in setmaxnreg.inc, or give up more with setmaxnreg.dec in
//     other warps
// shown by: run

ptx.kernel @example() attributes {maxnreg = 128 : i32, reqntid = array<i32: 256, 1, 1>} {
  %c128 = arith.constant 128 : i32
  %thread = ptx.special_register tid.x
  %computes = arith.cmpi ult, %thread, %c128 : i32
  scf.if %computes {
    ptx.setmaxnreg inc 176
  } else {
    ptx.setmaxnreg dec 88
  }
  ptx.ret
}

// -----

ptx.kernel @example() attributes {maxnreg = 128 : i32, reqntid = array<i32: 256, 1, 1>} {
  %c128 = arith.constant 128 : i32
  %thread = ptx.special_register tid.x
  %computes = arith.cmpi ult, %thread, %c128 : i32
  scf.if %computes {
    ptx.setmaxnreg inc 168
  } else {
    ptx.setmaxnreg dec 88
  }
  ptx.ret
}
