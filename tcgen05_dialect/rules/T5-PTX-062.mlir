ptx.kernel @example() attributes {maxnreg = 96 : i32, reqntid = array<i32: 128>} {
  ptx.setmaxnreg inc 100
  ptx.ret
}

// -----

ptx.kernel @example() attributes {maxnreg = 96 : i32, reqntid = array<i32: 128>} {
  ptx.setmaxnreg inc 104
  ptx.ret
}
