ptx.variable "local" @table size 16 alignment 4
ptx.kernel @example() {
  ptx.ret
}

// -----

ptx.kernel @example() {
  ptx.variable "local" @table size 16 alignment 4
  ptx.ret
}
