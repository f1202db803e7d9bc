// T5-SIM-007
// section: 9.7.19
// subject: completion of the kernel
// statement: A kernel completes without a trap.
// why: On a GPU a trap ends the kernel with an error.
// fix: remove the cause of the trap
// shown by: run

ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %wanted = arith.constant 64 : i32
  %threads = ptx.special_register ntid.x
  %is_wrong = arith.cmpi ne, %threads, %wanted : i32
  cf.cond_br %is_wrong, ^wrong, ^right
^wrong:
  ptx.trap
^right:
  ptx.ret
}

// -----

ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %wanted = arith.constant 32 : i32
  %threads = ptx.special_register ntid.x
  %is_wrong = arith.cmpi ne, %threads, %wanted : i32
  cf.cond_br %is_wrong, ^wrong, ^right
^wrong:
  ptx.trap
^right:
  ptx.ret
}
