ptx.kernel @example(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %o : i16) {
  ptx.cp.async.bulk.tensor.im2col_no_offs %map, {%x, %x}, [%s]
  ptx.ret
}

// -----

ptx.kernel @example(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %o : i16) {
  ptx.cp.async.bulk.tensor.im2col_no_offs %map, {%x, %x, %x}, [%s]
  ptx.ret
}
