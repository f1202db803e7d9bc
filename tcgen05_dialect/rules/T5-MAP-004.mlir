// T5-MAP-004
// section: 5.5.7, 9.7.16.4.1
// subject: swizzle mode of the tensor map
// statement: A tile is swizzled by the tensor map if its descriptor has a swizzle mode.
// why: The MMA would read other elements of the tile.
// fix: give the tensor map the swizzle mode of the descriptor
// practice: a tile that is swizzled already in global memory may be copied without swizzling

!map = !ptx.tensor_map<128x64xbf16>
!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.shared_memory @tile size 16384 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.kernel @example(%map : !map, %x : i32, %y : i32) {
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%x, %y}, [%loaded]
  %a = tcgen05.descriptor %tile : !tile
  ptx.ret
}

// -----

!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.shared_memory @tile size 16384 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.kernel @example(%map : !map, %x : i32, %y : i32) {
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%x, %y}, [%loaded]
  %a = tcgen05.descriptor %tile : !tile
  ptx.ret
}
