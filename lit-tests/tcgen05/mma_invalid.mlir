// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @no_descriptor(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-IDESC-009]: tcgen05.mma: source of the instruction descriptor must be idesc alone, or kind and descriptor; found neither
  tcgen05.mma %d, %a, %b accumulate %p : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @both_descriptors(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-IDESC-009]: tcgen05.mma: source of the instruction descriptor must be idesc alone, or kind and descriptor; found idesc, descriptor
  tcgen05.mma %d, %a, %b accumulate %p descriptor %n {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @descriptor_without_kind(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-IDESC-009]: tcgen05.mma: source of the instruction descriptor must be idesc alone, or kind and descriptor; found descriptor
  tcgen05.mma %d, %a, %b accumulate %p descriptor %n : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @idesc_and_kind(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-IDESC-009]: tcgen05.mma: source of the instruction descriptor must be idesc alone, or kind and descriptor; found idesc, kind
  tcgen05.mma %d, %a, %b accumulate %p {kind = "f16", idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @kind(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-TYPE-002]: tcgen05.mma: kind must be f8f6f4, f16, i8, mxf4, mxf4nvf4, mxf8f6f4 or tf32; found f64
  tcgen05.mma %d, %a, %b accumulate %p descriptor %n {kind = "f64"} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @block_scaled(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-TYPE-002]: tcgen05.mma: kind without scale factors must be f16, tf32, f8f6f4 or i8; found mxf4
  tcgen05.mma %d, %a, %b accumulate %p descriptor %n {kind = "mxf4"} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @group(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-CTA_GROUP-001]: tcgen05.mma: cta_group must be 1 or 2; found 3
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>, cta_group = 3 : i32} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @role_of_d(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  %e = tcgen05.slice %d[0, 0] : !d to !tcgen05.tmem<128x256xf32, a>
  // CHECK: error[T5-TMEM-005]: tcgen05.mma: role of D must be accumulator; found a
  tcgen05.mma %e, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !tcgen05.tmem<128x256xf32, a>, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @role_of_a(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  %e = tcgen05.slice %d[0, 0] : !d to !tcgen05.tmem<128x16xbf16>
  // CHECK: error[T5-TMEM-005]: tcgen05.mma: role of A must be a; found accumulator
  tcgen05.mma %d, %e, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !tcgen05.tmem<128x16xbf16>, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @shape(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-SHAPE-002]: tcgen05.mma: N must be 8, 16, ... 256; found 260
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x260>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @shape_of_pair(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-SHAPE-002]: tcgen05.mma: cta_group 1 without .ws needs M 64 or 128; found 256
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 256x256>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @m_96(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-SHAPE-002]: tcgen05.mma: cta_group 1 without .ws needs M 64 or 128; found 96
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 96x256>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @m_32(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-SHAPE-002]: tcgen05.mma: cta_group 1 without .ws needs M 64 or 128; found 32
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 32x256>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @transposed_a_in_tensor_memory(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  %e = tcgen05.slice %d[0, 0] : !d to !tcgen05.tmem<128x16xbf16, a>
  // CHECK: error[T5-IDESC-002]: tcgen05.mma: A in tensor memory takes no transpose_a
  tcgen05.mma %d, %e, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256, transpose_a>} : !d, !tcgen05.tmem<128x16xbf16, a>, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @negated_integers(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-IDESC-001]: tcgen05.mma: kind i8 takes no negate_a
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<i8, s8 x s8 -> s32, 128x256, negate_a>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @saturate(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-IDESC-004]: tcgen05.mma: kind f16 takes no saturate
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256, saturate>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @absent_field(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-IDESC-005]: tcgen05.mma: kind f16 takes no scale_type; found ue8m0
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256, scale_type ue8m0>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @selector(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-IDESC-006]: tcgen05.mma: without sparse, sparsity_selector must be 0; found 1
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256, sparsity_selector 1>} : !d, !a, !b
  ptx.ret
}
