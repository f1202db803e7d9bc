// Copies the scale factors of 128 rows, 512 bytes, to the lanes of all four warps.
!source = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
!scales = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
ptx.kernel @example(%slot : i32, %tile : i32) {
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  %scales = tcgen05.slice %all[0, 64] : !tcgen05.tmem<128x128xf32> to !scales
  %source = tcgen05.descriptor %tile : !source
  tcgen05.cp shape_32x128b warpx4 %scales, %source : !scales, !source
  ptx.ret
}
