// T5-IDESC-001
// section: 9.7.16.10.1
// subject: transpose and negate
// statement: In kinds mxf4 and mxf4nvf4 no operand is transposed, and in kind i8 no operand is
//     negated.
// why: The manual leaves these bits undefined for the kind, and ptxas does not check them.
// fix: do not transpose operands of mxf4 and mxf4nvf4, and do not negate operands of i8

!a = !tcgen05.smem_descriptor<128x32xsi8, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<256x32xsi8, k_major, swizzle_32b>
!d = !tcgen05.tmem<128x256xi32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<i8, s8 x s8 -> s32, 128x256, negate_a>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x32xsi8, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<256x32xsi8, k_major, swizzle_32b>
!d = !tcgen05.tmem<128x256xi32>
ptx.kernel @example(%slot : i32, %tile : i32, %accumulate : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %accumulate, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<i8, s8 x s8 -> s32, 128x256>} : !d, !a, !b
  ptx.ret
}
