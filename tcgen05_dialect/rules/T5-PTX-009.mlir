// T5-PTX-009
// section: 9.7.1.10, 9.7.3.9, 9.7.4.6
// subject: qualifiers of abs
// statement: abs takes only qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the type allows

ptx.kernel @example(%x : f64) {
  %magnitude = ptx.abs ftz f64 %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : f64) {
  %magnitude = ptx.abs f64 %x
  ptx.ret
}
