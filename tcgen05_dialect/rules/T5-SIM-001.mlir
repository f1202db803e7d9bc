// T5-SIM-001
// section: 9.7
// subject: instruction that the emulator supports
// statement: A kernel consists of instructions that the emulator supports.
// why: The emulator cannot check a result that it does not compute.
// fix: use an operation of the dialect instead, or report that it is missing
// shown by: run

ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %lane = ptx.special_register laneid
  %d = ptx.inline "bmsk.clamp.b32 $0, $1, 4;" (%lane : i32) -> i32
  ptx.ret
}

// -----

ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %lane = ptx.special_register laneid
  %mask = arith.constant 15 : i32
  %d = arith.shli %mask, %lane : i32
  ptx.ret
}
