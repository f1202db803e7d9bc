// T5-PTX-007
// section: 9.7.1.13, 9.7.3.12, 9.7.4.8
// subject: qualifiers of max
// statement: max takes only qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only qualifiers that the type allows

ptx.kernel @example(%x : i32, %y : i32) {
  %largest = ptx.max NaN s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %largest = ptx.max s32 %x, %y
  ptx.ret
}
