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
