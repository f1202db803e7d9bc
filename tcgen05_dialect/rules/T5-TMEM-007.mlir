// T5-TMEM-007
// section: 9.7.16.10.5
// subject: lane of A and D
// statement: If the data path layout uses half of the lanes, A and D begin at the same lane.
// why: The MMA reads A in the lanes of D, where A would not be.
// fix: begin A and D at the same lane

!a = !tcgen05.tmem<64x16xbf16, a, layout_F>
!b = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<64x128xf32, layout_F>
!all = !tcgen05.tmem<128x256xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %a = tcgen05.slice %all[16, 128] : !all to !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x128>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.tmem<64x16xbf16, a, layout_F>
!b = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<64x128xf32, layout_F>
!all = !tcgen05.tmem<128x256xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %a = tcgen05.slice %all[0, 128] : !all to !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x128>} : !d, !a, !b
  ptx.ret
}
