!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
ptx.kernel @example(%slot : i32, %tiles : i32, %stage : i32) {
  %true = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %ring = tcgen05.descriptor %tiles : !a
  %a = tcgen05.tile %ring[%stage] : !a
  tcgen05.mma %d, %a, %a accumulate %true
      {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>} : !d, !a, !a
  ptx.ret
}
