// T5-SIM-032
// section: 8.9
// subject: order of writes of the same value
// statement: Writes of several threads to the same memory are ordered, even if they write the same
//     value.
// why: The manual gives two unordered writes no meaning.
// fix: let one thread write, or put a barrier between the writes
// practice: Triton lets all threads of a warpgroup write the same word
// shown by: run

ptx.shared_memory @word size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %thread = ptx.special_register tid.x
  %word = ptx.address_of @word
  ptx.st "shared::cta" b32 [%word], {%c1}
  ptx.bar.sync %c0
  %value = ptx.ld "shared::cta" b32 [%word] -> i32
  ptx.ret
}

// -----

ptx.shared_memory @word size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %thread = ptx.special_register tid.x
  %word = ptx.address_of @word
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {
    ptx.st "shared::cta" b32 [%word], {%c1}
  }
  ptx.bar.sync %c0
  %value = ptx.ld "shared::cta" b32 [%word] -> i32
  ptx.ret
}
