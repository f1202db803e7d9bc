ptx.kernel @example(%p : i64, %x : f32) {
  %old:4 = ptx.atom.vector global add f32 [%p], {%x, %x} -> 4 x f32
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : f32) {
  %old:2 = ptx.atom.vector global add f32 [%p], {%x, %x} -> 2 x f32
  ptx.ret
}
