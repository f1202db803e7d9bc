// T5-PTX-003
// section: 9.7.1.3, 9.7.3.5, 9.7.4.3
// subject: qualifiers of mul
// statement: mul takes only qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the type allows

ptx.kernel @example(%x : i32, %y : i32) {
  %product = ptx.mul u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %product = ptx.mul lo u32 %x, %y
  ptx.ret
}
