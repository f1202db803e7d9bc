// T5-CP-005
// section: 9.7.16.9.1
// subject: elements of the source of cp
// statement: The elements of the source tile have the size of the packed format that cp
//     decompresses.
// why: cp unpacks bits by the format; elements of another size would become other numbers.
// fix: decompress a tile whose elements have the size of the format

!tile = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, no_swizzle>
!d = !tcgen05.tmem<128x32xf32>
ptx.kernel @example(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !d
  %tile = tcgen05.descriptor %address : !tile
  tcgen05.cp shape_128x256b b4x16_p64 %d, %tile : !d, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x32xf4E2M1FN, k_major, no_swizzle>
!d = !tcgen05.tmem<128x32xf32>
ptx.kernel @example(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !d
  %tile = tcgen05.descriptor %address : !tile
  tcgen05.cp shape_128x256b b4x16_p64 %d, %tile : !d, !tile
  ptx.ret
}
