// T5-SIM-042
// section: 8
// subject: address that is computed from written registers
// statement: The address of an access depends only on registers that were written.
// why: A register that no instruction has written may hold any value.
// fix: write the register on every path to the access
// shown by: run

ptx.kernel @example() attributes {reqntid = array<i32: 1, 1, 1>} {
  %address = ptx.undefined : i32
  %value = ptx.ld shared b32 [%address] -> i32
  ptx.ret
}

// -----

ptx.shared_memory @value size 4 alignment 4

ptx.kernel @example() attributes {reqntid = array<i32: 1, 1, 1>} {
  %address = ptx.address_of @value
  %one = arith.constant 1 : i32
  ptx.st shared b32 [%address], {%one}
  %value = ptx.ld shared b32 [%address] -> i32
  ptx.ret
}
