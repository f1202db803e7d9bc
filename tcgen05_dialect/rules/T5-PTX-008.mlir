// T5-PTX-008
// section: 9.7.1.11, 9.7.3.10, 9.7.4.5
// subject: qualifiers of neg
// statement: neg takes only qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the type allows

ptx.kernel @example(%x : bf16) {
  %negated = ptx.neg ftz bf16 %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : bf16) {
  %negated = ptx.neg bf16 %x
  ptx.ret
}
