// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @no_descriptor(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-IDESC-009]: tcgen05.mma: source of the instruction descriptor: found neither; legal: idesc alone, or kind and descriptor
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
  // CHECK: error[T5-IDESC-009]: tcgen05.mma: source of the instruction descriptor: found idesc, descriptor; legal: idesc alone, or kind and descriptor
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
  // CHECK: error[T5-IDESC-009]: tcgen05.mma: source of the instruction descriptor: found descriptor; legal: idesc alone, or kind and descriptor
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
  // CHECK: error[T5-IDESC-009]: tcgen05.mma: source of the instruction descriptor: found idesc, kind; legal: idesc alone, or kind and descriptor
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
  // CHECK: error[T5-TYPE-002]: tcgen05.mma: kind: found f64; legal: f8f6f4, f16, i8, mxf4, mxf4nvf4, mxf8f6f4, tf32
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
  // CHECK: error[T5-TYPE-002]: tcgen05.mma: kind without scale factors: found mxf4; legal: f16, tf32, f8f6f4, i8
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
  // CHECK: error[T5-CTA_GROUP-001]: tcgen05.mma: cta_group: found 3; legal: 1, 2
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
  // CHECK: error[T5-TMEM-005]: tcgen05.mma: role of D: found a; legal: accumulator
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
  // CHECK: error[T5-TMEM-005]: tcgen05.mma: role of A: found accumulator; legal: a
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
  // CHECK: error[T5-SHAPE-002]: tcgen05.mma: {{.*}}found 260
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
  // CHECK: error[T5-SHAPE-002]: tcgen05.mma: Table 39, m with kind f16, ws false, cta_group 1, sparse false, d f32, a bf16, b bf16: found 256; legal: 64, 128
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
  // CHECK: error[T5-SHAPE-002]: tcgen05.mma: {{.*64(,| or) 128}}
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
  // CHECK: error[T5-SHAPE-002]: tcgen05.mma: {{.*64(,| or) 128}}
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
  // CHECK: error[T5-IDESC-002]: tcgen05.mma: transpose_a, Matrix A, transpose with memory tensor: found true; legal: false
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
  // CHECK: error[T5-IDESC-001]: tcgen05.mma: Table 42, kind i8, negate_a (bit 13): found true; legal: false
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
  // CHECK: error[T5-IDESC-004]: tcgen05.mma: Table 42, kind f16, saturate (bit 3): found true; legal: false
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
  // CHECK: error[T5-IDESC-005]: tcgen05.mma: Table 42, kind f16, scale_type: found ue8m0; legal: none
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
  // CHECK: error[T5-IDESC-006]: tcgen05.mma: sparsity_selector, Sparsity selector, selector with kind f16, sparse false: found 1; legal: 0
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256, sparsity_selector 1>} : !d, !a, !b
  ptx.ret
}
