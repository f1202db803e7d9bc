// T5-ALLOC-003
// section: 9.7.16.1.2
// subject: number of lanes of an allocation
// statement: The type of an allocated address covers all lanes of the columns.
// why: alloc allocates whole columns; a matrix with fewer lanes is a slice of them.
// fix: give the address a type with all lanes, then slice the matrix from it

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<64x64xf32>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  ptx.ret
}
