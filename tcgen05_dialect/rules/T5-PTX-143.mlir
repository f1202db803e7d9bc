// T5-PTX-143
// section: 9.7.6.2, 9.7.7.2
// subject: qualifiers of setp with two results
// statement: setp takes only a comparison that its type allows; it has a predicate to combine with
//     if and only if it names a combination.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a comparison that the type allows; give both a combination and a predicate, or neither

ptx.kernel @example(%x : i32, %y : i32) {
  %less, %other = ptx.setp_pair lt and s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %less, %other = ptx.setp_pair lt s32 %x, %y
  ptx.ret
}
