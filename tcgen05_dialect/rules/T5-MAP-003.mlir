// T5-MAP-003
// section: 5.5.7, 9.7.16.4.1
// subject: swizzle mode of the tile
// statement: The descriptor of a tile has the swizzle mode of the tensor map that fills it.
// why: The MMA would read other elements of the tile.
// fix: give the tensor map and the descriptor the same swizzle mode

!map = !ptx.tensor_map<128x64xbf16, swizzle_128b_atom_32b>
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
