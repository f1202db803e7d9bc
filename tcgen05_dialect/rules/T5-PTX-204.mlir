ptx.kernel @example(%to : i64, %from : i32, %size : i32) {
  ptx.cp.reduce.async.bulk.store add f16 [%to], [%from], %size
  ptx.ret
}

// -----

ptx.kernel @example(%to : i64, %from : i32, %size : i32) {
  ptx.cp.reduce.async.bulk.store add noftz f16 [%to], [%from], %size
  ptx.ret
}
