ptx.kernel @example() attributes {reqntid = array<i32: 64, 1, 1>} {
  %thread = ptx.special_register tid.x
  %threads = arith.constant 32 : i32
  %is_inside = arith.cmpi ult, %thread, %threads : i32
  ptx.assume %is_inside
  ptx.ret
}

// -----

ptx.kernel @example() attributes {reqntid = array<i32: 64, 1, 1>} {
  %thread = ptx.special_register tid.x
  %threads = arith.constant 64 : i32
  %is_inside = arith.cmpi ult, %thread, %threads : i32
  ptx.assume %is_inside
  ptx.ret
}
