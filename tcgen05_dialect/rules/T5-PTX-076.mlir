ptx.kernel @example() attributes {maxnreg = 257 : i32} {
  ptx.ret
}

// -----

ptx.kernel @example() attributes {maxnreg = 256 : i32} {
  ptx.ret
}
