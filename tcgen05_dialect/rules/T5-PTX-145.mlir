// T5-PTX-145
// section: 9.7.6.4
// subject: qualifiers of slct
// statement: slct takes ftz only if `c` is an f32.
// why: The instruction has no other forms; ptxas refuses them.
// fix: leave out ftz

ptx.kernel @example(%x : i32, %y : i32) {
  %chosen = ptx.slct ftz b32 s32 %x, %y, %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %chosen = ptx.slct b32 s32 %x, %y, %x
  ptx.ret
}
