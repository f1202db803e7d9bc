// T5-TMEM-006
// section: 9.7.16.10.5
// subject: data path layout of a matrix in tensor memory
// statement: A matrix has the data path layout that M, cta_group and .ws select.
// why: The MMA uses its own layout: rows would be read from and written to other lanes.
// fix: give the matrix the layout that the message names

!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<64x256xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x256xf32> to !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x256>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<64x256xf32, layout_F>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x256xf32> to !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x256>} : !d, !a, !b
  ptx.ret
}
