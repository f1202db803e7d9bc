// T5-DESC-002
// section: 9.7.16.4.1
// subject: matrix start address
// statement: The matrix start address is a multiple of the descriptor's unit, inside shared memory.
// why: The descriptor holds the address in this unit: low bits would be lost, and the tile would be
//     read from another address.
// fix: align to {unit_bytes} bytes, inside shared memory

ptx.kernel @example() {
  %address = arith.constant 8 : i32
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, no_swizzle>
  ptx.ret
}

// -----

ptx.kernel @example() {
  %address = arith.constant 16 : i32
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, no_swizzle>
  ptx.ret
}
