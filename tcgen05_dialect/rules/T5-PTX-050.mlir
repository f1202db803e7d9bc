ptx.kernel @example(%map : !ptx.tensor_map, %tile : i32, %barrier : i32) {
  ptx.cp.async.bulk.tensor.load [%tile], %map, {}, [%barrier]
  ptx.ret
}

// -----

ptx.kernel @example(%map : !ptx.tensor_map, %tile : i32, %barrier : i32, %x : i32, %y : i32) {
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%x, %y}, [%barrier]
  ptx.ret
}
