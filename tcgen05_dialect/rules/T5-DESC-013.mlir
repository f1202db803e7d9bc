// T5-DESC-013
// section: 9.7.16.2.2
// subject: K of the instruction inside the operand's tile
// statement: At least K elements of the tile follow the origin of an advanced descriptor.
// why: The MMA would use bytes past the end of the tile as part of the operand.
// fix: advance the descriptor less, or make the tile longer

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 56>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %whole = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  %a = tcgen05.advance %whole, k = 56 : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 48>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %whole = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  %a = tcgen05.advance %whole, k = 48 : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !a, !b
  ptx.ret
}
