// T5-PTX-102
// section: 9.7.12
// subject: branch to a block
// statement: A branch is at the end of a block, stays in its region, passes the arguments that its
//     target block takes, and does not lead to the first block of a kernel.
// why: The arguments of the target block would have undefined values.
// fix: end the block with a branch to another block of the region, with the arguments that this
//     block takes

ptx.kernel @example(%x : i32) {
  ptx.bra ^end
^end(%y : i32):
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32) {
  ptx.bra ^end(%x : i32)
^end(%y : i32):
  ptx.ret
}
