// T5-PTX-231
// section: 9.7.9.26.1
// subject: type of a field of a dimension
// statement: A stride in a tensor map has 64 bits; an extent, and the step of a box, have 32.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use b64 for addresses and strides, and b32 for other fields

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace.dimension global_stride global b32 [%p], 0, %x
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace.dimension global_stride global b64 [%p], 0, %p
  ptx.ret
}
