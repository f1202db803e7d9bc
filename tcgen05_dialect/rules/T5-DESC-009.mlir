// T5-DESC-009
// section: 9.7.16.10.4.4
// subject: elements of fewer than 8 bits
// statement: Elements of six bits are padded to bytes in shared memory.
// why: No kind of MMA reads packed 6-bit elements.
// fix: use a kind that pads 6-bit elements

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x336xf6E2M3FN, k_major, no_swizzle, packed>
  ptx.ret
}

// -----

ptx.kernel @example(%address : i32) {
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x336xf6E2M3FN, k_major, no_swizzle>
  ptx.ret
}
