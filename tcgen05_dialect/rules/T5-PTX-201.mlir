// T5-PTX-201
// section: 9.7.9.25.4
// subject: address of a bulk copy
// statement: A bulk copy begins at a multiple of {chunk_bytes} bytes on both sides.
// why: On a GPU a copy with another address traps.
// fix: begin at a multiple of {chunk_bytes} bytes, in a variable with that alignment

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
