// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @offset() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-DESC-008]: tcgen05.mma: k of the origin must be 0, 8, 16, 24, 32, 40, 48 or 56; found 64
  tcgen05.mma %d, %a[k = 64], %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @elements() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-DESC-013]: tcgen05.mma: elements along K of B must be at least 16; found 8
  tcgen05.mma %d, %a, %b[k = 56] accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>} : !d, !a, !b
  ptx.ret
}

// -----

!t = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @offset_in_tensor_memory() {
  ptx.ret
^operands(%d : !d, %t : !t, %b : !b, %p : i1):
  // CHECK: error[T5-DESC-016]: tcgen05.mma: type of A with an offset along K must be !tcgen05.smem_descriptor (use tcgen05.slice in tensor memory); found !tcgen05.tmem<128x16xbf16, a>
  tcgen05.mma %d, %t[k = 16], %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>} : !d, !t, !b
  ptx.ret
}

// -----

ptx.kernel @twice(%slot : i32, %columns : i32) {
  // CHECK: error: cta_group is given twice
  tcgen05.alloc cta_group_2 %slot, %columns {cta_group = 2 : i32}
  ptx.ret
}

// -----

ptx.kernel @two_words(%slot : i32, %columns : i32) {
  // CHECK: error: cta_group is given twice
  tcgen05.alloc cta_group_2 cta_group_1 %slot, %columns
  ptx.ret
}

// -----

ptx.kernel @no_word(%slot : i32, %columns : i32) {
  // CHECK: error: expected an operand, cta_group_1, cta_group_2 or exclusive; found cta_group_3
  tcgen05.alloc cta_group_3 %slot, %columns
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x128xf32>
!s = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!x = !tcgen05.smem_descriptor<128x128xf8E4M3FN, k_major, swizzle_128b>
ptx.kernel @identifier_of_a_computed_descriptor(%n : i32) {
  ptx.ret
^operands(%d : !d, %x : !x, %s : !s, %p : i1):
  // CHECK: error: [id = ...] needs idesc: a computed descriptor contains it
  tcgen05.mma.block_scale %d, %x, %x scales %s[id = 1], %s accumulate %p descriptor %n kind mxf8f6f4 : !d, !x, !x, !s, !s
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x128xf32>
!s = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!x = !tcgen05.smem_descriptor<128x128xf8E4M3FN, k_major, swizzle_128b>
ptx.kernel @identifier_in_two_places() {
  ptx.ret
^operands(%d : !d, %x : !x, %s : !s, %p : i1):
  // CHECK: error: idesc has sfa_id too; give it in one place
  tcgen05.mma.block_scale %d, %x, %x scales %s[id = 1], %s accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x128, scale_type ue8m0, sfa_id 2>} : !d, !x, !x, !s, !s
  ptx.ret
}
