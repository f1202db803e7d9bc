ptx.shared_memory @tile size 64 alignment 16
ptx.kernel @example() {
  %address = ptx.address_of @tiles
  ptx.ret
}

// -----

ptx.shared_memory @tile size 64 alignment 16
ptx.kernel @example() {
  %address = ptx.address_of @tile
  ptx.ret
}
