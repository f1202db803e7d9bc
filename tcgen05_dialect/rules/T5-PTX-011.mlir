// T5-PTX-011
// section: 9.7.3.13, 9.7.3.14
// subject: qualifiers of rcp
// statement: rcp takes only qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the type allows

ptx.kernel @example(%x : f64) {
  %reciprocal = ptx.rcp approx f64 %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : f64) {
  %reciprocal = ptx.rcp approx ftz f64 %x
  ptx.ret
}
