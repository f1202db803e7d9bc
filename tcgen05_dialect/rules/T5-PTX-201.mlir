ptx.shared_memory @tile size 64 alignment 16
ptx.kernel @example(%from : i64, %size : i32, %full : i32) {
  %tile = ptx.address_of @tile
  ptx.cp.async.bulk.load [%tile + 8], [%from], %size, [%full]
  ptx.ret
}

// -----

ptx.shared_memory @tile size 64 alignment 16
ptx.kernel @example(%from : i64, %size : i32, %full : i32) {
  %tile = ptx.address_of @tile
  ptx.cp.async.bulk.load [%tile + 16], [%from], %size, [%full]
  ptx.ret
}
