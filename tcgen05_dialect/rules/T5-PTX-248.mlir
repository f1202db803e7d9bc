ptx.kernel @example() attributes {reqntid = array<i32: 128, 1, 1>} {
  ptx.setmaxnreg dec 40
  ptx.ret
}

// -----

ptx.kernel @example() attributes {maxnreg = 96 : i32, reqntid = array<i32: 128, 1, 1>} {
  ptx.setmaxnreg dec 40
  ptx.ret
}
