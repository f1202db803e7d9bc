ptx.kernel @example(%map : !ptx.tensor_map, %x : i32, %s : i32) {
  ptx.cp.async.bulk.tensor.scatter4 %map, {%x, %x}, [%s]
  ptx.ret
}

// -----

ptx.kernel @example(%map : !ptx.tensor_map, %x : i32, %s : i32) {
  ptx.cp.async.bulk.tensor.scatter4 %map, {%x, %x, %x, %x, %x}, [%s]
  ptx.ret
}
