ptx.kernel @example() attributes {minnctapersm = 33 : i32, maxntid = array<i32: 32>} {
  ptx.ret
}

// -----

ptx.kernel @example() attributes {minnctapersm = 32 : i32, maxntid = array<i32: 32>} {
  ptx.ret
}
