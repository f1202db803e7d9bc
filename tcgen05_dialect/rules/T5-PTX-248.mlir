// T5-PTX-248
// section: 9.7.19.5
// subject: registers at the start of a kernel with setmaxnreg
// statement: A kernel with setmaxnreg gives the number of registers that each thread has at the
//     start: by maxnreg, or by minnctapersm together with the number of threads.
// why: Without this number, setmaxnreg may have no effect.
// fix: give the kernel maxnreg
// practice: ptxas ignores setmaxnreg then, unless its option --maxrregcount gives the number

ptx.kernel @example() attributes {reqntid = array<i32: 128, 1, 1>} {
  ptx.setmaxnreg dec 40
  ptx.ret
}

// -----

ptx.kernel @example() attributes {maxnreg = 96 : i32, reqntid = array<i32: 128, 1, 1>} {
  ptx.setmaxnreg dec 40
  ptx.ret
}
