// T5-PTX-084
// section: 5.1.7
// subject: accessed bytes
// statement: An access is inside its variable.
// why: The access would read or write another variable.
// fix: make the variable larger, or move the access inside it

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
