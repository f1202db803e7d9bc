// RUN: not tcgen05 check %s | filecheck %s

// Descriptors that contradict the tensor map that fills their tile; copied_tiles.mlir has right ones.

!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!plain_tile = !tcgen05.smem_descriptor<128x8xbf16, k_major, no_swizzle>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
!atom_32b = !ptx.tensor_map<128x64xbf16, swizzle_128b_atom_32b>

ptx.shared_memory @tile size 16384 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8

ptx.kernel @modes(%map : !atom_32b, %x : i32) {
  %address = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%address], %map, {%x, %x}, [%loaded]
  // CHECK: error[T5-MAP-003]: tcgen05.descriptor: swizzle mode of %map must be swizzle_128b, as in the descriptor of the tile; found swizzle_128b_atom_32b
  %a = tcgen05.descriptor %address : !tile
  ptx.ret
}

ptx.kernel @without_swizzling(%map : !map, %x : i32) {
  %address = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%address], %map, {%x, %x}, [%loaded]
  // CHECK: error[T5-MAP-003]: tcgen05.descriptor: swizzle mode of %map must be no_swizzle, as in the descriptor of the tile; found swizzle_128b
  %a = tcgen05.descriptor %address : !plain_tile
  ptx.ret
}

// CHECK-NOT: {{(error|warning)\[}}
