// T5-TYPE-003
// section: 9.7.16.2.1
// subject: element types of the MMA
// statement: A, B and D have element types that the kind supports.
// why: The instruction descriptor of a kind has codes only for the types that the kind supports. The
//     code of another type is illegal, or means a type of the kind.
// fix: give A and B types that the kind supports, and D the type s32 for kind i8, f16 or f32 for
//     kinds f16 and f8f6f4, and f32 for the other kinds

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf16>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f16, 128x256>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf16>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, f16 x f16 -> f16, 128x256>} : !d, !a, !b
  ptx.ret
}
