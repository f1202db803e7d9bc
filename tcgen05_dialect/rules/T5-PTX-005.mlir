// T5-PTX-005
// section: 9.7.1.8, 9.7.3.8
// subject: qualifiers of div
// statement: div takes only qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the type allows

ptx.kernel @example(%x : f32, %y : f32) {
  %quotient = ptx.div f32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : f32, %y : f32) {
  %quotient = ptx.div rn f32 %x, %y
  ptx.ret
}
