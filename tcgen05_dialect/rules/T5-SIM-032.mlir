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
