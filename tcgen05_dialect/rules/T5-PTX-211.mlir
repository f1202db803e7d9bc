// T5-PTX-211
// section: 5.5.4, 5.5.5, 9.7.9.25.5.2
// subject: number of coordinates of a store in im2col mode
// statement: A tensor in im2col mode has three to five dimensions.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give one coordinate for each dimension of the tensor

ptx.kernel @example(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %o : i16) {
  ptx.cp.async.bulk.tensor.im2col_no_offs %map, {%x, %x}, [%s]
  ptx.ret
}

// -----

ptx.kernel @example(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %o : i16) {
  ptx.cp.async.bulk.tensor.im2col_no_offs %map, {%x, %x, %x}, [%s]
  ptx.ret
}
