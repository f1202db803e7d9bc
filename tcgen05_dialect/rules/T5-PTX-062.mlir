ptx.kernel @example() attributes {maxnreg = 96 : i32, reqntid = array<i32: 128>} {
  ptx.setmaxnreg dec 60
  ptx.ret
}

// -----

ptx.kernel @example() attributes {maxnreg = 96 : i32, reqntid = array<i32: 128>} {
  ptx.setmaxnreg dec 64
  ptx.ret
}
