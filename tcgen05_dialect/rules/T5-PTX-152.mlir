// T5-PTX-152
// section: 9.7.13.6
// subject: vector of red
// statement: red of a vector takes only an operation and a size that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a shorter vector; for f32, use add

ptx.kernel @example(%p : i64, %x : f32) {
  ptx.red.vector global max f32 [%p], {%x, %x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : f32) {
  ptx.red.vector global add f32 [%p], {%x, %x}
  ptx.ret
}
