// T5-SIM-024
// section: 9.7.19.5
// subject: setmaxnreg of all warps of a warpgroup
// statement: All warps of a warpgroup execute the same sequence of setmaxnreg.
// why: Registers are allocated to whole warpgroups; otherwise the behaviour is undefined.
// fix: execute setmaxnreg with the same number of registers in all warps of the warpgroup
// shown by: run

ptx.kernel @example() attributes {maxnreg = 96 : i32, reqntid = array<i32: 128, 1, 1>} {
  %c32 = arith.constant 32 : i32
  %thread = ptx.special_register tid.x
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first_warp {
    ptx.setmaxnreg dec 40
  }
  ptx.ret
}

// -----

ptx.kernel @example() attributes {maxnreg = 96 : i32, reqntid = array<i32: 128, 1, 1>} {
  %c32 = arith.constant 32 : i32
  %thread = ptx.special_register tid.x
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  ptx.setmaxnreg dec 40
  ptx.ret
}
