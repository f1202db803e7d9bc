// T5-PTX-070
// section: 4.4
// subject: name
// statement: A name is a unique PTX identifier.
// why: ptxas refuses the text.
// fix: use a unique name that consists of letters, digits, _ and $

ptx.kernel @"my-kernel"() {
  ptx.ret
}

// -----

ptx.kernel @my_kernel() {
  ptx.ret
}
