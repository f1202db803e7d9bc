ptx.kernel @example() attributes {reqntid = 128} {
  ptx.ret
}

// -----

ptx.kernel @example() attributes {reqntid = array<i32: 128>} {
  ptx.ret
}
