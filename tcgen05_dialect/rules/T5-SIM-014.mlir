// T5-SIM-014
// section: 8.9
// subject: order of accesses to the same memory
// statement: Two accesses to the same memory, one of them a write, are ordered.
// why: On a GPU either may come first, and the result may change from run to run.
// fix: put a barrier, or a wait for the asynchronous access, between the two accesses
// shown by: run

ptx.shared_memory @word size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %word = ptx.address_of @word
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {
    ptx.st "shared::cta" b32 [%word], {%c0}
  }
  %value = ptx.ld "shared::cta" b32 [%word] -> i32
  ptx.ret
}

// -----

ptx.shared_memory @word size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %word = ptx.address_of @word
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {
    ptx.st "shared::cta" b32 [%word], {%c0}
  }
  ptx.bar.sync %c0
  %value = ptx.ld "shared::cta" b32 [%word] -> i32
  ptx.ret
}
