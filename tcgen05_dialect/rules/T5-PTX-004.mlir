// T5-PTX-004
// section: 9.7.3.6, 9.7.4.4
// subject: qualifiers of fma
// statement: fma takes only qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the type allows

ptx.kernel @example(%x : f64) {
  %result = ptx.fma rn ftz f64 %x, %x, %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : f64) {
  %result = ptx.fma rn f64 %x, %x, %x
  ptx.ret
}
