// T5-PTX-002
// section: 9.7.1.2, 9.7.3.4, 9.7.4.2
// subject: qualifiers of sub
// statement: sub takes only qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the type allows

ptx.kernel @example(%x : bf16) {
  %difference = ptx.sub rz bf16 %x, %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : bf16) {
  %difference = ptx.sub rn bf16 %x, %x
  ptx.ret
}
