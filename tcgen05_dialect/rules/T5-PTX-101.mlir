// T5-PTX-101
// section: 9.7.12
// subject: end of a block of a kernel
// statement: Every block of a kernel ends with ptx.ret or a branch.
// why: Execution would continue in the next block, or after the end of the kernel.
// fix: end the kernel with ptx.ret, and every other block with ptx.ret or a branch

ptx.kernel @example(%n : i32) {
  ptx.nanosleep %n
}

// -----

ptx.kernel @example(%n : i32) {
  ptx.nanosleep %n
  ptx.ret
}
