// Each CTA of a pair has half of A, B and D. The second MMA takes a computed descriptor.
!a = !tcgen05.smem_descriptor<128x32xsi8, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xsi8, k_major, swizzle_32b>
!d = !tcgen05.tmem<128x128xi32>
ptx.kernel @example(%slot : i32, %tile : i32, %n : i32) attributes {cluster_dims = array<i32: 2>} {
  %true = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma cta_group_2 %d, %a, %b accumulate %true
      {idesc = #tcgen05.idesc<i8, s8 x s8 -> s32, 256x128, saturate>} : !d, !a, !b
  tcgen05.mma cta_group_2 %d, %a, %b accumulate %true descriptor %n kind i8 : !d, !a, !b
  ptx.ret
}
