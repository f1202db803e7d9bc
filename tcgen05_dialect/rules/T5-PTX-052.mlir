ptx.shared_memory @tile size 4096 alignment 64
ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @example(%map : !ptx.tensor_map, %x : i32, %y : i32) {
  %tile = ptx.address_of @tile
  %barrier = ptx.address_of @barrier
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%x, %y}, [%barrier]
  ptx.ret
}

// -----

ptx.shared_memory @tile size 4096 alignment 128
ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @example(%map : !ptx.tensor_map, %x : i32, %y : i32) {
  %tile = ptx.address_of @tile
  %barrier = ptx.address_of @barrier
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%x, %y}, [%barrier]
  ptx.ret
}
