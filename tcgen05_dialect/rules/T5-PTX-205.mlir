// T5-PTX-205
// section: 9.7.9.25.5.3
// subject: operation of a tensor reduction
// statement: The operation of a tensor reduction determines the legal types of its elements.
// why: The manual defines no other combinations.
// fix: use an operation that the element type allows, or another element type in the tensor map

ptx.kernel @example(%map : !ptx.tensor_map<8x64xf32>, %s : i32, %x : i32) {
  ptx.cp.reduce.async.bulk.tensor max %map, {%x, %x}, [%s]
  ptx.ret
}

// -----

ptx.kernel @example(%map : !ptx.tensor_map<8x64xf32>, %s : i32, %x : i32) {
  ptx.cp.reduce.async.bulk.tensor add %map, {%x, %x}, [%s]
  ptx.ret
}
