// T5-PTX-233
// section: 9.7.9.26.1
// subject: value of a mode of a tensor map
// statement: A mode of a tensor map has a value that the manual lists.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a value that the field allows

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace.mode fill_mode global [%p], 2
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.tensormap.replace.mode fill_mode global [%p], 1
  ptx.ret
}
