// T5-PTX-083
// section: 6.4.1
// subject: accessed address
// statement: An access begins at a multiple of its size.
// why: On a GPU a misaligned access traps.
// fix: begin at a multiple of the access size, in a variable with that alignment

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
