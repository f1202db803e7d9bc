// T5-PTX-249
// section: 9.7.19.5
// subject: registers that setmaxnreg moves between warps
// statement: A warp gives up registers that it has with setmaxnreg.dec, and takes registers that
//     other warps of the CTA have given up with setmaxnreg.inc. The registers that all threads have
//     at the start fit into a multiprocessor.
// why: The instruction setmaxnreg.inc waits until registers are free, or forever.
// fix: let warps that need few registers give up, with setmaxnreg.dec, as many as the other warps
//     take

ptx.kernel @example() attributes {maxnreg = 128 : i32, reqntid = array<i32: 256, 1, 1>} {
  %c128 = arith.constant 128 : i32
  %thread = ptx.special_register tid.x
  %computes = arith.cmpi ult, %thread, %c128 : i32
  scf.if %computes {
    ptx.setmaxnreg inc 168
  }
  ptx.ret
}

// -----

ptx.kernel @example() attributes {maxnreg = 128 : i32, reqntid = array<i32: 256, 1, 1>} {
  %c128 = arith.constant 128 : i32
  %thread = ptx.special_register tid.x
  %computes = arith.cmpi ult, %thread, %c128 : i32
  scf.if %computes {
    ptx.setmaxnreg inc 168
  } else {
    ptx.setmaxnreg dec 88
  }
  ptx.ret
}
