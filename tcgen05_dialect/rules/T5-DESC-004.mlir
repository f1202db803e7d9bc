// T5-DESC-004
// section: 9.7.16.4.1
// subject: stride dimension byte offset
// statement: The stride dimension byte offset is a multiple of the descriptor's unit, inside shared
//     memory.
// why: The descriptor holds the offset in that unit: the low bits are lost, and the core matrices
//     are read from elsewhere.
// fix: align to {unit_bytes} bytes, inside shared memory

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<16x32768xbf16, k_major, no_swizzle>
  ptx.ret
}

// -----

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<16x128xbf16, k_major, no_swizzle>
  ptx.ret
}
