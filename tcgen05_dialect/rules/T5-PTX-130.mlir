ptx.kernel @example() {
  ptx.variable "global" @table size 16 alignment 4
  ptx.ret
}

// -----

ptx.variable "global" @table size 16 alignment 4
ptx.kernel @example() {
  ptx.ret
}
