// T5-PTX-063
// section: 9.7.13.12
// subject: qualifiers of redux.sync
// statement: redux.sync takes only an operation and qualifiers that its type allows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use only an operation and qualifiers that the type allows

ptx.kernel @example(%f : f32, %mask : i32) {
  %d = ptx.redux.sync add f32 %f, %mask
  ptx.ret
}

// -----

ptx.kernel @example(%f : f32, %mask : i32) {
  %d = ptx.redux.sync max f32 %f, %mask
  ptx.ret
}
