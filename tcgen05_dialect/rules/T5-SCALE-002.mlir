// T5-SCALE-002
// section: 9.7.16.10.7.2
// subject: first column of a scale factor matrix
// statement: The scale factors begin at an aligned column and end inside tensor memory.
// why: The manual leaves other columns undefined.
// fix: begin at an aligned column, and end inside tensor memory

!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!d = !tcgen05.tmem<128x64xf32>
!scale_a = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!scale_b = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!all = !tcgen05.tmem<128x128xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %scale_a = tcgen05.slice %all[0, 66] : !all to !scale_a
  %scale_b = tcgen05.slice %all[0, 72] : !all to !scale_b
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma.block_scale %d, %a, %b scales %scale_a, %scale_b accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>} : !d, !a, !b, !scale_a, !scale_b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!d = !tcgen05.tmem<128x64xf32>
!scale_a = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!scale_b = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!all = !tcgen05.tmem<128x128xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %scale_a = tcgen05.slice %all[0, 64] : !all to !scale_a
  %scale_b = tcgen05.slice %all[0, 72] : !all to !scale_b
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma.block_scale %d, %a, %b scales %scale_a, %scale_b accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>} : !d, !a, !b, !scale_a, !scale_b
  ptx.ret
}
