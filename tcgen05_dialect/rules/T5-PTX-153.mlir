// T5-PTX-153
// section: 9.7.13.5
// subject: vector of atom
// statement: atom of a vector takes only an operation and a size that its type allows, and has as
//     many results as values.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a shorter vector and one result for each value; for f32, use add

ptx.kernel @example(%p : i64, %x : f32) {
  %old:4 = ptx.atom.vector global add f32 [%p], {%x, %x} -> 4 x f32
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : f32) {
  %old:2 = ptx.atom.vector global add f32 [%p], {%x, %x} -> 2 x f32
  ptx.ret
}
