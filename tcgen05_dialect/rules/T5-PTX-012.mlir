// T5-PTX-012
// section: 9.7.3.15
// subject: qualifiers of sqrt
// statement: sqrt takes only qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the type allows

ptx.kernel @example(%x : f64) {
  %root = ptx.sqrt approx f64 %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : f64) {
  %root = ptx.sqrt rn f64 %x
  ptx.ret
}
