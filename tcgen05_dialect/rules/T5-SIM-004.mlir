// T5-SIM-004
// section: 9.7.16.6.2
// subject: aligned instruction with all threads of the warp
// statement: All threads of a warp execute an aligned instruction together.
// why: Otherwise the behaviour is undefined; on a GPU the warp may hang.
// fix: make all threads of the warp execute the instruction together

ptx.kernel @example() attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %limit = arith.constant 48 : i32
  %thread = ptx.special_register tid.x
  %is_low = arith.cmpi ult, %thread, %limit : i32
  scf.if %is_low {
    ptx.bar.sync %c0
  }
  ptx.ret
}

// -----

ptx.kernel @example() attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %limit = arith.constant 48 : i32
  %thread = ptx.special_register tid.x
  %is_low = arith.cmpi ult, %thread, %limit : i32
  ptx.bar.sync %c0
  ptx.ret
}
