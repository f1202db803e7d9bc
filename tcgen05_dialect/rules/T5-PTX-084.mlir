ptx.shared_memory @buffer size 64 alignment 16
ptx.kernel @example() {
  %address = ptx.address_of @buffer + 64
  %v = ptx.ld shared b32 [%address] -> i32
  ptx.ret
}

// -----

ptx.shared_memory @buffer size 64 alignment 16
ptx.kernel @example() {
  %address = ptx.address_of @buffer + 60
  %v = ptx.ld shared b32 [%address] -> i32
  ptx.ret
}
