// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

// Half of the elements of each row of A are stored: K = 32 of f16 are 16 elements, and an index of
// the metadata for each four of the 32.
!a = !tcgen05.smem_descriptor<128x32xf16, k_major, swizzle_64b>
!t = !tcgen05.tmem<128x16xf16, a>
!b = !tcgen05.smem_descriptor<64x64xf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
!e = !tcgen05.tmem<128x16xi4, metadata>
ptx.kernel @f16(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x128xf32> to !d
  // CHECK: to !tcgen05.tmem<128x16xi4, metadata>
  %e = tcgen05.slice %all[0, 64] : !tcgen05.tmem<128x128xf32> to !e
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: tcgen05.mma.sp %d, %a, %b metadata %e accumulate %p {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64, sparse>} : !tcgen05.tmem<128x64xf32>, !tcgen05.smem_descriptor<128x32xf16, k_major, swizzle_64b>, !tcgen05.smem_descriptor<64x64xf16, k_major, swizzle_128b>, !tcgen05.tmem<128x16xi4, metadata>
  // GENERIC: "tcgen05.mma.sp"(%d, %a, %b, %p, %e) <{idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64, sparse>,
  // PTX: tcgen05.mma.sp.cta_group::1.kind::f16 [%r[[D:[0-9]+]]], %rd{{[0-9]+}}, %rd{{[0-9]+}}, [%r[[D]]+64], 135266324, %p{{[0-9]+}};
  tcgen05.mma.sp %d, %a, %b metadata %e accumulate %p {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64, sparse>} : !d, !a, !b, !e
  // The second of the two columns of metadata.
  // CHECK: tcgen05.mma.sp ashift collector discard %d, %t, %b metadata %e accumulate %p scale_input_d(1) {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64, sparse, sparsity_selector 1>}
  // PTX: tcgen05.mma.sp.cta_group::1.kind::f16.ashift.collector::a::discard [%r[[D]]], [%r{{[0-9]+}}{{(\+[0-9]+)?}}], %rd{{[0-9]+}}, [%r[[D]]+64], 135266325, %p{{[0-9]+}}, 1;
  %t = tcgen05.slice %all[0, 96] : !tcgen05.tmem<128x128xf32> to !t
  tcgen05.mma.sp ashift collector discard %d, %t, %b metadata %e accumulate %p scale_input_d(1) {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64, sparse, sparsity_selector 1>} : !d, !t, !b, !e
  // CHECK: metadata %e accumulate %p descriptor %n kind f8f6f4 disable_output_lane(%n, %n, %n, %n)
  // PTX: tcgen05.mma.sp.cta_group::1.kind::f8f6f4 [%r[[D]]], %rd{{[0-9]+}}, %rd{{[0-9]+}}, [%r[[D]]+64], %r3, {%r3, %r3, %r3, %r3}, %p{{[0-9]+}};
  tcgen05.mma.sp %d, %a, %b metadata %e accumulate %p descriptor %n kind f8f6f4 disable_output_lane(%n, %n, %n, %n) : !d, !a, !b, !e
  ptx.ret
}

// Layout C, of a pair with M = 128: D and the metadata begin at the same lane, 0 or 16.
ptx.kernel @half_of_the_lanes(%slot : i32, %tile : i32) attributes {cluster_dims = array<i32: 2>} {
  %p = arith.constant true
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x128xi32>
  %d = tcgen05.slice %all[16, 0] : !tcgen05.tmem<128x128xi32> to !tcgen05.tmem<64x64xi32, layout_C>
  %e = tcgen05.slice %all[16, 64] : !tcgen05.tmem<128x128xi32> to !tcgen05.tmem<64x16xi4, metadata, layout_C>
  %a = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<64x32xsi8, k_major, swizzle_32b>
  %b = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<32x64xsi8, k_major, swizzle_64b>
  // CHECK: !tcgen05.tmem<64x16xi4, metadata, layout_C>
  // PTX: tcgen05.mma.sp.cta_group::2.kind::i8 [%r{{[0-9]+}}+1048576], %rd{{[0-9]+}}, %rd{{[0-9]+}}, [%r{{[0-9]+}}+1048640],
  tcgen05.mma.sp cta_group_2 %d, %a, %b metadata %e accumulate %p {idesc = #tcgen05.idesc<i8, s8 x s8 -> s32, 128x64, sparse>} : !tcgen05.tmem<64x64xi32, layout_C>, !tcgen05.smem_descriptor<64x32xsi8, k_major, swizzle_32b>, !tcgen05.smem_descriptor<32x64xsi8, k_major, swizzle_64b>, !tcgen05.tmem<64x16xi4, metadata, layout_C>
  ptx.ret
}

// Scale factors are those of the elements that are stored.
ptx.kernel @scaled(%slot : i32, %tile : i32) {
  %p = arith.constant true
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x128xf32> to !d
  %e = tcgen05.slice %all[0, 64] : !tcgen05.tmem<128x128xf32> to !e
  %sfa = tcgen05.slice %all[0, 68] : !tcgen05.tmem<128x128xf32> to !tcgen05.tmem<128x2xf8E8M0FNU, scale>
  %sfb = tcgen05.slice %all[0, 72] : !tcgen05.tmem<128x128xf32> to !tcgen05.tmem<64x2xf8E8M0FNU, scale>
  %a = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
  %b = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<64x128xf4E2M1FN, k_major, swizzle_64b, packed>
  // CHECK: tcgen05.mma.sp.block_scale %d, %a, %b metadata %e scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 128x64, sparse, scale_type ue8m0>}
  // GENERIC: "tcgen05.mma.sp.block_scale"(%d, %a, %b, %p, %e, %sfa, %sfb)
  // PTX: tcgen05.mma.sp.cta_group::1.kind::mxf4.block_scale.scale_vec::2X [%r[[D:[0-9]+]]], %rd{{[0-9]+}}, %rd{{[0-9]+}}, [%r[[D]]+64], {{[0-9]+}}, [%r[[D]]+68], [%r[[D]]+72], %p{{[0-9]+}};
  tcgen05.mma.sp.block_scale %d, %a, %b metadata %e scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 128x64, sparse, scale_type ue8m0>} : !d, !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>, !tcgen05.smem_descriptor<64x128xf4E2M1FN, k_major, swizzle_64b, packed>, !e, !tcgen05.tmem<128x2xf8E8M0FNU, scale>, !tcgen05.tmem<64x2xf8E8M0FNU, scale>
  ptx.ret
}
