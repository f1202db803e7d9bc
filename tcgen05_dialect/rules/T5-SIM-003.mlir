// T5-SIM-003
// section: 9.7.9
// subject: alignment of an access
// statement: Every access begins at a multiple of its size.
// why: On a GPU a misaligned access traps.
// fix: align the address to the size of the access
// shown by: run

ptx.shared_memory @words size 128 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %words = ptx.address_of @words
  %thread = ptx.special_register tid.x
  %bytes = arith.constant 2 : i32
  %to = ptx.mad u32 %thread, %bytes, %words
  ptx.st "shared::cta" b32 [%to], {%thread}
  ptx.ret
}

// -----

ptx.shared_memory @words size 128 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %words = ptx.address_of @words
  %thread = ptx.special_register tid.x
  %bytes = arith.constant 4 : i32
  %to = ptx.mad u32 %thread, %bytes, %words
  ptx.st "shared::cta" b32 [%to], {%thread}
  ptx.ret
}
