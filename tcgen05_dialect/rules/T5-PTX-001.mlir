// T5-PTX-001
// section: 9.7.1.1, 9.7.3.3, 9.7.4.1
// subject: qualifiers of add
// statement: add takes only qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the type allows

ptx.kernel @example(%x : i32, %y : i32) {
  %sum = ptx.add rn s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %sum = ptx.add s32 %x, %y
  ptx.ret
}
