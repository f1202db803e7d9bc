// T5-PTX-074
// section: 11.4.2, 11.4.3
// subject: threads of a CTA
// statement: The number of threads of a CTA, in total and along each dimension, is within the
//     limits of the hardware.
// why: The launch fails.
// fix: use at most {max_threads} threads, and at most {most_along_z} along z

ptx.kernel @example() attributes {reqntid = array<i32: 32, 64, 1>} {
  ptx.ret
}

// -----

ptx.kernel @example() attributes {reqntid = array<i32: 32, 32, 1>} {
  ptx.ret
}
