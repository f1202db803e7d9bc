// T5-SIM-002
// section: 5.1
// subject: access inside memory
// statement: Every access is inside the buffers and variables of the kernel.
// why: On a GPU the access traps, or reads or overwrites other data.
// fix: keep addresses inside the buffers and variables of the kernel
// shown by: run

ptx.shared_memory @words size 128 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %words = ptx.address_of @words
  %thread = ptx.special_register tid.x
  %bytes = arith.constant 8 : i32
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
