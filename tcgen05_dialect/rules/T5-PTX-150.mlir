// T5-PTX-150
// section: 9.7.13.6
// subject: operation of red
// statement: red takes only an operation and qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a type that the operation allows; give noftz if and only if the type consists of 16-bit
//     floats

ptx.kernel @example(%p : i64, %x : f32) {
  ptx.red global max f32 [%p], %x
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : f32) {
  ptx.red global add f32 [%p], %x
  ptx.ret
}
