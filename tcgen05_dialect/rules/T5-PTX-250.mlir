// T5-PTX-250
// section: 9.7.13.13
// subject: accesses before griddepcontrol.wait
// statement: A kernel with griddepcontrol.wait writes global memory only after the wait, and it
//     reads memory that it also writes only after the wait.
// why: The grids for which it waits may still read or write this memory.
// fix: execute griddepcontrol.wait before the access
// practice: kernels load only data such as weights, which no other grid writes, before the wait

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
