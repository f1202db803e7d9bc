// T5-PTX-106
// section: 5.1.6.1
// subject: type of a parameter of a kernel
// statement: A parameter of a kernel is a tensor map, an array of bytes, or a value of a register
//     type other than a predicate.
// why: PTX has no parameters of other types.
// fix: pass a tensor map, an array of bytes, or a value of a register type other than a predicate

ptx.kernel @example(%flag : i1) {
  ptx.ret
}

// -----

ptx.kernel @example(%flag : i32) {
  ptx.ret
}
