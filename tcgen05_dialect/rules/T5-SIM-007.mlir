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
