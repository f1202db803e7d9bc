// T5-PTX-108
// section: 4.4, 5.1.7
// subject: name of a shared variable
// statement: The symbol of ptx.address_of names a shared variable of the module; that of
//     ptx.variable_address may name any variable.
// why: Only declared variables have addresses.
// fix: declare the variable with ptx.shared_memory or ptx.variable, or use the name of one that is
//     declared

ptx.shared_memory @tile size 64 alignment 16
ptx.kernel @example() {
  %address = ptx.address_of @tiles
  ptx.ret
}

// -----

ptx.shared_memory @tile size 64 alignment 16
ptx.kernel @example() {
  %address = ptx.address_of @tile
  ptx.ret
}
