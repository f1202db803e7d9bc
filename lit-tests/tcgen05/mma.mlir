// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @f16(%slot : i32, %tile_a : i32, %tile_b : i32, %n : i32) {
  %zero = arith.constant 0 : i32
  %accumulate = arith.cmpi ne, %n, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile_a : !a
  %b = tcgen05.descriptor %tile_b : !b
  // CHECK: tcgen05.mma %d, %a, %b accumulate %accumulate {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !tcgen05.tmem<128x256xf32>, !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>, !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
  // GENERIC: "tcgen05.mma"(%d, %a, %b, %accumulate) <{idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>, cta_group = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}>
  // PTX: tcgen05.mma.cta_group::1.kind::f16 [%r[[D:[0-9]+]]], %rd[[A:[0-9]+]], %rd[[B:[0-9]+]], 138413200, %p1;
  tcgen05.mma %d, %a, %b accumulate %accumulate {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !a, !b
  // CHECK: {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256, negate_b>}
  // PTX: tcgen05.mma.cta_group::1.kind::f16 [%r[[D]]], %rd[[A]], %rd[[B]], 138429584, %p1;
  tcgen05.mma %d, %a, %b accumulate %accumulate {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256, negate_b>} : !d, !a, !b
  // A descriptor that is computed; only its kind is known.
  // CHECK: tcgen05.mma %d, %a, %b accumulate %accumulate descriptor %n kind f16
  // GENERIC: "tcgen05.mma"(%d, %a, %b, %accumulate, %n) <{kind = "f16", cta_group = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>}>
  // PTX: tcgen05.mma.cta_group::1.kind::f16 [%r[[D]]], %rd[[A]], %rd[[B]], %r4, %p1;
  tcgen05.mma %d, %a, %b accumulate %accumulate descriptor %n kind f16 : !d, !a, !b
  // An offset along K; zero is none.
  // CHECK: tcgen05.mma %d, %a[k = 16], %b accumulate %accumulate {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !tcgen05.tmem<128x256xf32>, !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>, !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
  // GENERIC: a_k = 16 : i32
  // PTX: add.s64 %rd[[A16:[0-9]+]], %rd[[A]], 2;
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::f16 [%r[[D]]], %rd[[A16]], %rd[[B]], 138413200, %p1;
  tcgen05.mma %d, %a[k = 16], %b[k = 0] accumulate %accumulate {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !a, !b
  // It is added to the origin of the operand.
  // CHECK: tcgen05.mma %d, %a48[k = -16], %b[k = 32] accumulate
  // PTX-NEXT: add.s64 %rd[[A32:[0-9]+]], %rd[[A]], 4;
  // PTX-NEXT: add.s64 %rd[[B32:[0-9]+]], %rd[[B]], 4;
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::f16 [%r[[D]]], %rd[[A32]], %rd[[B32]], 138413200, %p1;
  %a48 = tcgen05.advance %a, k = 48 : !a
  tcgen05.mma %d, %a48[k = -16], %b[k = 32] accumulate %accumulate {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 48>, !b
  // The columns of a slice are the offset of its address.
  // PTX: tcgen05.mma.cta_group::1.kind::f16 [%r[[WIDE:[0-9]+]]+256],
  %wide = tcgen05.load_address %slot : !tcgen05.tmem<128x512xf32>
  %half = tcgen05.slice %wide[0, 256] : !tcgen05.tmem<128x512xf32> to !d
  tcgen05.mma %half, %a, %b accumulate %accumulate {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !a, !b
  ptx.ret
}

// A in tensor memory, and what it takes: the columns of K of one instruction.
!k = !tcgen05.smem_descriptor<64x64xf16, k_major, swizzle_128b>
!p = !tcgen05.tmem<128x64xf16, a>
!step = !tcgen05.tmem<128x16xf16, a>
!c = !tcgen05.tmem<128x64xf32>
ptx.kernel @a_in_tensor_memory(%slot : i32, %tile : i32) {
  %true = arith.constant true
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  %c = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x128xf32> to !c
  %p = tcgen05.slice %all[0, 64] : !tcgen05.tmem<128x128xf32> to !p
  // Sixteen elements of 16 bits are eight columns.
  %p1 = tcgen05.slice %p[0, 8] : !p to !step
  %b = tcgen05.descriptor %tile : !k
  // CHECK: tcgen05.mma %c, %p1, %b accumulate %true {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64>} : !tcgen05.tmem<128x64xf32>, !tcgen05.tmem<128x16xf16, a>, !tcgen05.smem_descriptor<64x64xf16, k_major, swizzle_128b>
  // PTX: tcgen05.mma.cta_group::1.kind::f16 [%r[[ALL:[0-9]+]]], [%r[[ALL]]+72], %rd{{[0-9]+}}, 135266320, %p{{[0-9]+}};
  tcgen05.mma %c, %p1, %b accumulate %true {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64>} : !c, !step, !k
  ptx.ret
}

// Two CTAs: each holds half of the rows of A and D, and half of the columns of B.
!a2 = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b2 = !tcgen05.smem_descriptor<64x32xf8E5M2, k_major, swizzle_32b>
ptx.kernel @cta_pair(%slot : i32, %tile : i32) attributes {cluster_dims = array<i32: 2>} {
  %true = arith.constant true
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  %a = tcgen05.descriptor %tile : !a2
  %b = tcgen05.descriptor %tile : !b2
  // CHECK: tcgen05.mma cta_group_2 %d, %a, %b accumulate %true {idesc = #tcgen05.idesc<f8f6f4, e4m3 x e5m2 -> f32, 256x128>}
  // PTX: tcgen05.mma.cta_group::2.kind::f8f6f4
  tcgen05.mma cta_group_2 %d, %a, %b accumulate %true {idesc = #tcgen05.idesc<f8f6f4, e4m3 x e5m2 -> f32, 256x128>} : !tcgen05.tmem<128x128xf32>, !a2, !b2
  // M = 128: layout B folds N into the upper lanes.
  // CHECK: !tcgen05.tmem<64x128xf32, layout_B>
  // PTX: tcgen05.mma.cta_group::2.kind::f8f6f4
  %a64 = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
  %e = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x128xf32> to !tcgen05.tmem<64x128xf32, layout_B>
  tcgen05.mma cta_group_2 %e, %a64, %b accumulate %true {idesc = #tcgen05.idesc<f8f6f4, e4m3 x e5m2 -> f32, 128x128>} : !tcgen05.tmem<64x128xf32, layout_B>, !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>, !b2
  ptx.ret
}

// M = 64 uses half of the lanes, the lower or the upper half of each warp's.
!a8 = !tcgen05.smem_descriptor<64x32xsi8, k_major, swizzle_32b>
!b8 = !tcgen05.smem_descriptor<32x32xui8, mn_major, swizzle_32b>
!d8 = !tcgen05.tmem<64x32xi32, layout_F>
ptx.kernel @half_of_the_lanes(%slot : i32, %tile : i32) {
  %true = arith.constant true
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x32xi32>
  %d = tcgen05.slice %all[16, 0] : !tcgen05.tmem<128x32xi32> to !d8
  %a = tcgen05.descriptor %tile : !a8
  %b = tcgen05.descriptor %tile : !b8
  // CHECK: {idesc = #tcgen05.idesc<i8, s8 x u8 -> s32, 64x32, transpose_b, saturate>}
  // PTX: tcgen05.mma.cta_group::1.kind::i8 [%r{{[0-9]+}}+1048576],
  tcgen05.mma %d, %a, %b accumulate %true {idesc = #tcgen05.idesc<i8, s8 x u8 -> s32, 64x32, transpose_b, saturate>} : !d8, !a8, !b8
  ptx.ret
}
