// T5-IDESC-002
// section: 9.7.16.10.6
// subject: transpose bit of A in tensor memory
// statement: If A is in tensor memory, it is not transposed.
// why: In tensor memory the rows of A are lanes; no other arrangement exists.
// fix: do not transpose A

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
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128, transpose_a>} : !d, !a, !b
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
