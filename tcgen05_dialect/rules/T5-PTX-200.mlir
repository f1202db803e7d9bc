// T5-PTX-200
// section: 9.7.9.25.4
// subject: size of a bulk copy
// statement: The size of a bulk copy is a multiple of {chunk_bytes} bytes, below {limit}.
// why: The manual leaves other sizes undefined; ptxas refuses them.
// fix: copy a multiple of {chunk_bytes} bytes, and split copies of {limit} bytes or more

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
