// T5-MAP-005
// section: 5.5.1
// subject: element type of the tensor map
// statement: A tile of a floating-point type is not read as another floating-point type of the same
//     size.
// why: The MMA would take the bits of its elements for other numbers.
// fix: give the tensor map and the descriptor the same element type
// practice: a copy moves the bytes of any type unchanged

!map = !ptx.tensor_map<128x64xf16, swizzle_128b>
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
