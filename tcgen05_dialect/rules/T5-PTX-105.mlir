// T5-PTX-105
// section: 11
// subject: attribute of an operation
// statement: An operation has only attributes that it declares, with legal values.
// why: An unknown attribute would have no effect; it is usually misspelt.
// fix: remove the attribute, or use a name and a value that the message lists

ptx.kernel @example() attributes {reqntid = 128} {
  ptx.ret
}

// -----

ptx.kernel @example() attributes {reqntid = array<i32: 128>} {
  ptx.ret
}
