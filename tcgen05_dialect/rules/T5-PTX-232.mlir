// T5-PTX-232
// section: 9.7.9.26.1
// subject: dimension of a field
// statement: A field of a tensor map has a number for each of up to five dimensions.
// why: The instruction has no other forms; ptxas refuses them.
// fix: count the dimensions from zero, the innermost first

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace.dimension box_dim global b32 [%p], 5, %x
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace.dimension box_dim global b32 [%p], 4, %x
  ptx.ret
}
