ptx.kernel @example() attributes {reqntid = array<i32: 32, 64, 1>} {
  ptx.ret
}

// -----

ptx.kernel @example() attributes {reqntid = array<i32: 32, 32, 1>} {
  ptx.ret
}
