// T5-PTX-230
// section: 9.7.9.26.1
// subject: type of a field
// statement: The address in a tensor map has 64 bits, and the rank has 32.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use b64 for addresses and strides, and b32 for other fields

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace rank global b64 [%p], %p
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace rank global b32 [%p], %x
  ptx.ret
}
