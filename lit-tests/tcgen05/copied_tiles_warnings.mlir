// RUN: tcgen05 check %s | filecheck %s

// Descriptors that probably contradict the tensor map that fills their tile.

!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
!plain = !ptx.tensor_map<128x64xbf16>
!f16 = !ptx.tensor_map<128x64xf16, swizzle_128b>

ptx.shared_memory @ring alignment 1024
ptx.shared_memory @tile size 16384 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8

// The copies of a ring: the first stage of B follows the last one of A.
ptx.kernel @stages(%a_map : !map, %b_map : !plain, %x : i32, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c3 = arith.constant 3 : i32
  %tile_bytes = arith.constant 16384 : i32
  %a_ring = ptx.address_of @ring
  %b_ring = ptx.address_of @ring + 65536
  %loaded = ptx.address_of @loaded
  scf.for %i = %c0 to %n step %c1 : i32 {
    %a_stage = arith.remui %i, %c4 : i32
    %a_offset = arith.muli %a_stage, %tile_bytes : i32
    %a_tile = arith.addi %a_ring, %a_offset : i32
    ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%i, %x}, [%loaded]
    %b_stage = arith.andi %i, %c3 : i32
    %b_offset = arith.muli %b_stage, %tile_bytes : i32
    %b_tile = arith.addi %b_offset, %b_ring : i32
    ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%i, %x}, [%loaded]
  }
  %a = tcgen05.descriptor %a_ring : !tile
  // CHECK: warning[T5-MAP-004]: tcgen05.descriptor: swizzle mode of %b_map must be swizzle_128b, as in the descriptor of the tile; found no_swizzle; a tile that is swizzled already in global memory may be copied without swizzling
  %b = tcgen05.descriptor %b_ring : !tile
  ptx.ret
}

ptx.kernel @elements(%0 : !f16, %x : i32) {
  %address = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%address], %0, {%x, %x}, [%loaded]
  // CHECK: warning[T5-MAP-005]: tcgen05.descriptor: element of the tensor map must be bf16, as in the descriptor of the tile; found f16; a copy moves the bytes of any type unchanged
  %a = tcgen05.descriptor %address : !tile
  ptx.ret
}
// CHECK-NOT: {{(error|warning)\[}}
