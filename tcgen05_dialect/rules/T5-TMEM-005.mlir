// T5-TMEM-005
// section: 9.7.16.10.4
// subject: role of a matrix in tensor memory
// statement: A matrix in tensor memory is used in the role that its type has.
// why: Each role has its own layout in the cells.
// fix: pass an accumulator as D, a matrix of role a or a descriptor as A, and a descriptor as B

!a = !tcgen05.tmem<128x16xbf16>
!b = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x256xf32> to !d
  %a = tcgen05.slice %all[0, 128] : !tcgen05.tmem<128x256xf32> to !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x256xf32> to !d
  %a = tcgen05.slice %all[0, 128] : !tcgen05.tmem<128x256xf32> to !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>} : !d, !a, !b
  ptx.ret
}
