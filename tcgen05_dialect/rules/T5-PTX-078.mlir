ptx.kernel @example() attributes {minnctapersm = 2 : i32} {
  ptx.ret
}

// -----

ptx.kernel @example() attributes {minnctapersm = 2 : i32, maxntid = array<i32: 128>} {
  ptx.ret
}
