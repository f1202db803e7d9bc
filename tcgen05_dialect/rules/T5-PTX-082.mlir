// T5-PTX-082
// section: 5.4.3
// subject: offset into a variable
// statement: An offset into a variable is inside the variable.
// why: The access would read or write another variable.
// fix: use an offset inside the variable, or make the variable larger

ptx.shared_memory @barriers size 16 alignment 8
ptx.kernel @example() {
  %barrier = ptx.address_of @barriers + 24
  ptx.ret
}

// -----

ptx.shared_memory @barriers size 16 alignment 8
ptx.kernel @example() {
  %barrier = ptx.address_of @barriers + 8
  ptx.ret
}
