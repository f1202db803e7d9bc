// RUN: tcgen05 check --strict %s

// Right kernels: nothing shows that the tensor map contradicts the descriptor.

!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!tf32_tile = !tcgen05.smem_descriptor<128x32xtf32, k_major, swizzle_128b>
!e4m3_tile = !tcgen05.smem_descriptor<128x128xf8E4M3FN, k_major, swizzle_128b>
!bytes_tile = !tcgen05.smem_descriptor<128x128xui8, k_major, swizzle_128b>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
!part = !ptx.tensor_map<32x64xbf16, swizzle_128b>
!wide = !ptx.tensor_map<256x64xbf16, swizzle_128b>
!atom_32b = !ptx.tensor_map<128x64xbf16, swizzle_128b_atom_32b>
!row = !ptx.tensor_map<64xbf16>

ptx.shared_memory @ring alignment 1024
ptx.shared_memory @tile size 16384 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8

// Several boxes fill one tile, and one box fills two.
ptx.kernel @parts(%part : !part, %wide : !wide, %x : i32) {
  %address = ptx.address_of @tile
  %ring = ptx.address_of @ring
  %second = ptx.address_of @ring + 16384
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%address], %part, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%address + 4096], %part, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%address + 8192], %part, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%address + 12288], %part, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%ring], %wide, {%x, %x}, [%loaded]
  %a = tcgen05.descriptor %address : !tile
  %b = tcgen05.descriptor %ring : !tile
  %c = tcgen05.descriptor %second : !tile
  ptx.ret
}

// A copy moves bytes: tensor maps have no 8-bit floating-point type, and tcgen05.cp reads bytes.
ptx.kernel @elements(
    %f32 : !ptx.tensor_map<128x32xf32, swizzle_128b>, %u8 : !ptx.tensor_map<128x128xu8, swizzle_128b>,
    %u16 : !ptx.tensor_map<128x64xu16, swizzle_128b>, %bf16 : !map, %x : i32
) {
  %a = ptx.address_of @ring
  %b = ptx.address_of @ring + 16384
  %c = ptx.address_of @ring + 32768
  %d = ptx.address_of @ring + 49152
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%a], %f32, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%b], %u8, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%c], %u16, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%d], %bf16, {%x, %x}, [%loaded]
  %a_tile = tcgen05.descriptor %a : !tf32_tile
  %b_tile = tcgen05.descriptor %b : !e4m3_tile
  %c_tile = tcgen05.descriptor %c : !tile
  %d_tile = tcgen05.descriptor %d : !bytes_tile
  ptx.ret
}

// The first row of a swizzled tile is where it would be without swizzling.
ptx.kernel @row(%row : !row, %x : i32) {
  %address = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%address], %row, {%x}, [%loaded]
  %a = tcgen05.descriptor %address : !tile
  ptx.ret
}

// The variable holds one tile after the other.
ptx.kernel @reused(%map : !map, %atom_32b : !atom_32b, %x : i32) {
  %address = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%address], %atom_32b, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%address], %map, {%x, %x}, [%loaded]
  %a = tcgen05.descriptor %address : !tile
  ptx.ret
}

// The threads rearrange the tile.
ptx.kernel @rearranged(%atom_32b : !atom_32b, %x : i32) {
  %address = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%address], %atom_32b, {%x, %x}, [%loaded]
  %v = ptx.ld "shared::cta" b32 [%address] -> i32
  %to = arith.addi %address, %x : i32
  ptx.st "shared::cta" b32 [%to], {%v}
  %a = tcgen05.descriptor %address : !tile
  ptx.ret
}

// Another copy may fill the tile: one without a box, one at an unknown place, one of a ring whose
// stages are not known.
ptx.kernel @untyped(%atom_32b : !atom_32b, %map : !ptx.tensor_map, %x : i32) {
  %address = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%address], %atom_32b, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%address], %map, {%x, %x}, [%loaded]
  %a = tcgen05.descriptor %address : !tile
  ptx.ret
}

ptx.kernel @elsewhere(%atom_32b : !atom_32b, %map : !map, %x : i32, %place : i32) {
  %address = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%address], %atom_32b, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%place], %map, {%x, %x}, [%loaded]
  %a = tcgen05.descriptor %address : !tile
  ptx.ret
}

ptx.kernel @stages(%atom_32b : !atom_32b, %map : !map, %x : i32, %offset : i32) {
  %ring = ptx.address_of @ring
  %last = ptx.address_of @ring + 16384
  %stage = arith.addi %ring, %offset : i32
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%last], %atom_32b, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%stage], %map, {%x, %x}, [%loaded]
  %a = tcgen05.descriptor %last : !tile
  ptx.ret
}

// The descriptor may be that of another tile.
ptx.kernel @another(%atom_32b : !atom_32b, %x : i32, %offset : i32) {
  %address = ptx.address_of @ring
  %moved = arith.addi %address, %offset : i32
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%address], %atom_32b, {%x, %x}, [%loaded]
  %a = tcgen05.descriptor %moved : !tile
  ptx.ret
}
