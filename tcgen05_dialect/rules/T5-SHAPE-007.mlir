// T5-SHAPE-007
// section: 9.7.16.2.1
// subject: N with A in tensor memory
// statement: If A is in tensor memory, N is a multiple of {step} with M = {m}, and of {pair_step}
//     in a CTA pair.
// why: The manual allows smaller steps, but the structs of CUTLASS do not.
// fix: pad N to the next larger multiple
// practice: the manual allows it, but CUTLASS refuses it

!d = !tcgen05.tmem<128x32xf32>
!a = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<24x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%slot : i32, %tile : i32) {
  %accumulate = arith.constant false
  %t = tcgen05.load_address %slot : !d
  %d = tcgen05.slice %t[0, 0] : !d to !tcgen05.tmem<128x24xf32>
  %a = tcgen05.slice %t[0, 24] : !d to !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %accumulate
    {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x24>}
    : !tcgen05.tmem<128x24xf32>, !a, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<32x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%slot : i32, %tile : i32) {
  %accumulate = arith.constant false
  %t = tcgen05.load_address %slot : !d
  %d = tcgen05.slice %t[0, 0] : !d to !tcgen05.tmem<128x32xf32>
  %a = tcgen05.slice %t[0, 32] : !d to !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %accumulate
    {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x32>}
    : !tcgen05.tmem<128x32xf32>, !a, !b
  ptx.ret
}
