// T5-PTX-022
// section: 9.7.9.4
// subject: vector for a register
// statement: A vector packs registers of one size that fill the result.
// why: Otherwise bits of the result would be undefined, or bits of the vector lost.
// fix: pack two or four registers of the same size that fill the result

ptx.kernel @example(%x : i16) {
  %packed = ptx.pack b64 {%x, %x, %x}
  ptx.ret
}

// -----

ptx.kernel @example(%x : i16) {
  %packed = ptx.pack b64 {%x, %x, %x, %x}
  ptx.ret
}
