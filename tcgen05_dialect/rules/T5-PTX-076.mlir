ptx.kernel @example() attributes {maxnreg = 257 : i32} {
  ptx.ret
}

// -----

ptx.kernel @example() attributes {maxnreg = 255 : i32} {
  ptx.ret
}
