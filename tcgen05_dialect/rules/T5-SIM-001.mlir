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
