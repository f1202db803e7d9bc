ptx.shared_memory @barriers size 16 alignment 8
ptx.kernel @example() {
  %barrier = ptx.address_of @barriers + 24
  ptx.ret
}

// -----

ptx.shared_memory @barriers size 16 alignment 8
ptx.kernel @example() {
  %barrier = ptx.address_of @barriers + 8
  ptx.ret
}
