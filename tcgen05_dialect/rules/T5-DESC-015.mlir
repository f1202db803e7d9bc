// T5-DESC-015
// section: 9.7.16.3
// subject: bytes of the tile in its variable
// statement: A tile is inside its variable.
// why: The MMA would use bytes past the end of the variable as part of the operand.
// fix: make the variable larger, or begin the tile earlier

ptx.shared_memory @tiles size 8192 alignment 1024
ptx.kernel @example() {
  %address = ptx.address_of @tiles
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.shared_memory @tiles size 16384 alignment 1024
ptx.kernel @example() {
  %address = ptx.address_of @tiles
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}
