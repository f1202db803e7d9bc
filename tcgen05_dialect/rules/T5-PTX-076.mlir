// T5-PTX-076
// section: 11.4.1
// subject: registers of a thread
// statement: The value of maxnreg is at most the number of registers that a thread can have.
// why: ptxas refuses the directive.
// fix: give at most the number of registers that a thread can have

ptx.kernel @example() attributes {maxnreg = 257 : i32} {
  ptx.ret
}

// -----

ptx.kernel @example() attributes {maxnreg = 255 : i32} {
  ptx.ret
}
