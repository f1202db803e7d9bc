ptx.shared_memory @buffer size 64 alignment 16
ptx.kernel @example() {
  %address = ptx.address_of @buffer + 8
  %v:4 = ptx.ld shared b32 [%address] -> 4 x i32
  ptx.ret
}

// -----

ptx.shared_memory @buffer size 64 alignment 16
ptx.kernel @example() {
  %address = ptx.address_of @buffer + 16
  %v:4 = ptx.ld shared b32 [%address] -> 4 x i32
  ptx.ret
}
