// T5-TYPE-005
// section: 9.7.16.10.4.4
// subject: packing of elements of fewer than 8 bits
// statement: Elements of fewer than 8 bits are packed for kinds mxf4 and mxf4nvf4, and padded to
//     bytes for the other kinds.
// why: The MMA would read parts of neighbouring elements as one element.
// fix: pack the elements for kinds mxf4 and mxf4nvf4, and pad them for the other kinds

!a = !tcgen05.smem_descriptor<128x32xf4E2M1FN, k_major, no_swizzle, packed>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f8f6f4, e2m1 x e4m3 -> f32, 128x64>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x32xf4E2M1FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f8f6f4, e2m1 x e4m3 -> f32, 128x64>} : !d, !a, !b
  ptx.ret
}
