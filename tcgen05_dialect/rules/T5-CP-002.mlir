// T5-CP-002
// section: 9.7.16.9.2
// subject: multicast of cp
// statement: The shape of cp determines its multicast: small shapes are copied to the lanes of
//     several warps, large shapes have no multicast.
// why: Without the multicast the lanes of the other warps would keep old data.
// fix: give the multicast that the shape requires

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
!d = !tcgen05.tmem<128x32xf32>
ptx.kernel @example(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !d
  %tile = tcgen05.descriptor %address : !tile
  tcgen05.cp shape_128x256b warpx4 %d, %tile : !d, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
!d = !tcgen05.tmem<128x32xf32>
ptx.kernel @example(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !d
  %tile = tcgen05.descriptor %address : !tile
  tcgen05.cp shape_128x256b %d, %tile : !d, !tile
  ptx.ret
}
