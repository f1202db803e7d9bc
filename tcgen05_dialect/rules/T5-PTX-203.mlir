ptx.kernel @example(%from : i32, %to : i32, %size : i32, %full : i32) {
  ptx.cp.reduce.async.bulk.remote min u64 [%to], [%from], %size, [%full]
  ptx.ret
}

// -----

ptx.kernel @example(%from : i32, %to : i32, %size : i32, %full : i32) {
  ptx.cp.reduce.async.bulk.remote min u32 [%to], [%from], %size, [%full]
  ptx.ret
}
