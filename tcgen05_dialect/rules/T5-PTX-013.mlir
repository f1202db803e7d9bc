// T5-PTX-013
// section: 9.7.6.2, 9.7.7.2
// subject: qualifiers of setp
// statement: setp takes only qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the type allows

ptx.kernel @example(%x : i32, %y : i32) {
  %less = ptx.setp lt b32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %less = ptx.setp lt s32 %x, %y
  ptx.ret
}
