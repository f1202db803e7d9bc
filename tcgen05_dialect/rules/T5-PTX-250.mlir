ptx.kernel @example(%out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %thread = ptx.special_register tid.x
  %c4 = arith.constant 4 : i32
  %to = ptx.mad.wide u32 %thread, %c4, %out
  ptx.st global b32 [%to], {%thread}
  ptx.griddepcontrol wait
  ptx.ret
}

// -----

ptx.kernel @example(%out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %thread = ptx.special_register tid.x
  %c4 = arith.constant 4 : i32
  %to = ptx.mad.wide u32 %thread, %c4, %out
  ptx.griddepcontrol wait
  ptx.st global b32 [%to], {%thread}
  ptx.ret
}
