ptx.kernel @example(%map : !ptx.tensor_map<8x64xf32>, %s : i32, %x : i32) {
  ptx.cp.reduce.async.bulk.tensor max %map, {%x, %x}, [%s]
  ptx.ret
}

// -----

ptx.kernel @example(%map : !ptx.tensor_map<8x64xf32>, %s : i32, %x : i32) {
  ptx.cp.reduce.async.bulk.tensor add %map, {%x, %x}, [%s]
  ptx.ret
}
