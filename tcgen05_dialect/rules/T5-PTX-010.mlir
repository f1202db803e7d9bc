// T5-PTX-010
// section: 9.7.3.21, 9.7.4.10
// subject: qualifiers of ex2.approx
// statement: ex2.approx takes only qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the type allows

ptx.kernel @example(%x : bf16) {
  %power = ptx.ex2 bf16 %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : bf16) {
  %power = ptx.ex2 ftz bf16 %x
  ptx.ret
}
