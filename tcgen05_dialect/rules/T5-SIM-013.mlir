// T5-SIM-013
// section: 8
// subject: read of initialised memory
// statement: Memory is written before it is read.
// why: On a GPU the read returns an undefined value.
// fix: write the memory, and wait for the write, before it is read
// shown by: run

ptx.shared_memory @word size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %word = ptx.address_of @word
  %value = ptx.ld "shared::cta" b32 [%word] -> i32
  ptx.ret
}

// -----

ptx.shared_memory @word size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %word = ptx.address_of @word
  ptx.st "shared::cta" b32 [%word], {%c0}
  %value = ptx.ld "shared::cta" b32 [%word] -> i32
  ptx.ret
}
