// T5-CONTRACT-002
// section: 5.1.6.1
// subject: assumption
// statement: The condition of an assumption holds whenever a thread reaches the assumption.
// why: Tools rely on the assumption; the kernel is not meant for other arguments.
// fix: launch the kernel with arguments that it is made for, or correct the assumption
// shown by: run

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
