// T5-PTX-062
// section: 9.7.19.5
// subject: registers of setmaxnreg
// statement: The number of registers in setmaxnreg is one that the hardware can give to a
//     warpgroup.
// why: Registers are allocated in units; the manual leaves other numbers undefined.
// fix: use a multiple of {step}, from {least} to {most}

ptx.kernel @example() attributes {maxnreg = 96 : i32, reqntid = array<i32: 128>} {
  ptx.setmaxnreg dec 60
  ptx.ret
}

// -----

ptx.kernel @example() attributes {maxnreg = 96 : i32, reqntid = array<i32: 128>} {
  ptx.setmaxnreg dec 64
  ptx.ret
}
