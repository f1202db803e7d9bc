ptx.kernel @example(%from : i64, %to : i32, %size : i32, %full : i32) {
  %odd = ptx.constant 24 : i32
  %even = ptx.constant 32 : i32
  ptx.cp.async.bulk.load [%to], [%from], %odd, [%full]
  ptx.ret
}

// -----

ptx.kernel @example(%from : i64, %to : i32, %size : i32, %full : i32) {
  %odd = ptx.constant 24 : i32
  %even = ptx.constant 32 : i32
  ptx.cp.async.bulk.load [%to], [%from], %even, [%full]
  ptx.ret
}
