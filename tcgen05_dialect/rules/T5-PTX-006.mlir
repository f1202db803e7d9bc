// T5-PTX-006
// section: 9.7.1.12, 9.7.3.11, 9.7.4.7
// subject: qualifiers of min
// statement: min takes only qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the type allows

ptx.kernel @example(%x : f64) {
  %least = ptx.min NaN f64 %x, %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : f64) {
  %least = ptx.min f64 %x, %x
  ptx.ret
}
