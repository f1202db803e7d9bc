// T5-TYPE-001
// section: 9.7.16.10
// subject: element type
// statement: A matrix has an element type that the descriptors can encode.
// why: There is no code for other types.
// fix: use {elements} in descriptors, and the corresponding builtin types in IR types

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf64>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  ptx.ret
}
