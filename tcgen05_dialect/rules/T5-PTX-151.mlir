// T5-PTX-151
// section: 9.7.13.5
// subject: operation of atom
// statement: atom takes only an operation and qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a type that the operation allows; give noftz if and only if the type consists of 16-bit
//     floats

ptx.kernel @example(%p : i64, %x : i64) {
  %old = ptx.atom global add s64 [%p], %x
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i64) {
  %old = ptx.atom global add u64 [%p], %x
  ptx.ret
}
