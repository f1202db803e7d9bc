// T5-PTX-052
// section: 5.5.3, 9.7.9.25.5.2
// subject: tile of a tensor copy
// statement: The tile of a tensor copy begins at an aligned address of shared memory.
// why: On a GPU a copy with another address traps.
// fix: begin the tile at a multiple of {tile_alignment} bytes, in a variable with that alignment

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
