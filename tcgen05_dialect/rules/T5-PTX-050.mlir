// T5-PTX-050
// section: 9.7.9.25.5.2
// subject: number of coordinates of a tensor copy
// statement: A tensor copy has at least one coordinate: one for each dimension of the tensor.
// why: The number of coordinates determines the form of the instruction.
// fix: give one coordinate for each dimension of the tensor

ptx.kernel @example(%map : !ptx.tensor_map, %tile : i32, %barrier : i32) {
  ptx.cp.async.bulk.tensor.load [%tile], %map, {}, [%barrier]
  ptx.ret
}

// -----

ptx.kernel @example(%map : !ptx.tensor_map, %tile : i32, %barrier : i32, %x : i32, %y : i32) {
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%x, %y}, [%barrier]
  ptx.ret
}
