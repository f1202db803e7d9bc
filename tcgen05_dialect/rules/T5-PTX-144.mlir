// T5-PTX-144
// section: 9.7.6.1, 9.7.7.1
// subject: qualifiers of set
// statement: set takes only a comparison and a type of the result that its source allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a comparison and a result that the type of the source allows

ptx.kernel @example(%x : i32, %y : i32) {
  %less = ptx.set ltu u32 s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %less = ptx.set lt u32 s32 %x, %y
  ptx.ret
}
