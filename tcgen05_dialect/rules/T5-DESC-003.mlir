// T5-DESC-003
// section: 9.7.16.4.1
// subject: leading dimension byte offset
// statement: The leading dimension byte offset is a multiple of the descriptor's unit, inside
//     shared memory.
// why: The descriptor holds the offset in that unit: the low bits are lost, and the core matrices
//     are read from elsewhere.
// fix: align to {unit_bytes} bytes, inside shared memory

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<32768x16xbf16, k_major, no_swizzle, mn_first>
  ptx.ret
}

// -----

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle, mn_first>
  ptx.ret
}
