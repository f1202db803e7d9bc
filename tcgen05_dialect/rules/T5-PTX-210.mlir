ptx.kernel @example(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %o : i16) {
  ptx.cp.async.bulk.tensor.im2col im2col [%s], %map, {%x, %x, %x, %x}, [%b], {%o}
  ptx.ret
}

// -----

ptx.kernel @example(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %o : i16) {
  ptx.cp.async.bulk.tensor.im2col im2col [%s], %map, {%x, %x, %x, %x}, [%b], {%o, %o}
  ptx.ret
}
