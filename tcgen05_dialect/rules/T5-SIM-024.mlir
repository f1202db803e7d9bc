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
