!a = !tcgen05.smem_descriptor<128x32xui8, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x64xui8, k_major, swizzle_64b>
!all = !tcgen05.tmem<128x128xi32>
!d = !tcgen05.tmem<128x64xi32>
!e = !tcgen05.tmem<128x16xi4, metadata>
ptx.kernel @example(%slot : i32, %a_tile : i32, %b_tile : i32, %mask : i64) {
  %true = arith.constant true
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %e = tcgen05.slice %all[0, 64] : !all to !e
  %a = tcgen05.descriptor %a_tile : !a
  %b = tcgen05.descriptor %b_tile : !b
  tcgen05.mma.ws.sp %d, %a, %b metadata %e accumulate %true zero_column_mask %mask
      {idesc = #tcgen05.idesc<i8, u8 x u8 -> s32, 128x64, sparse>} : !d, !a, !b, !e
  ptx.ret
}
