// T5-SHAPE-002
// section: 9.7.16.2.1
// subject: shape of the MMA
// statement: M, N and K form a shape that is legal for the kind, the number of CTAs and the form of
//     the MMA.
// why: The manual leaves other shapes undefined, and ptxas does not report them.
// fix: use a shape that `tcgen05 calc detail KIND` lists

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x260>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !a, !b
  ptx.ret
}
