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
