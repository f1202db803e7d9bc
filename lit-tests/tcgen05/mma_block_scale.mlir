// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  // A row has four scale factors for four MMAs with K = 32; the IDs say which one is meant.
  ptx.kernel @mxf8f6f4(%slot : i32, %tile : i32, %n : i32) {
    %p = arith.constant true
    %all = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
    %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x128xf32> to !tcgen05.tmem<128x64xf32>
    %sfa = tcgen05.slice %all[0, 64] : !tcgen05.tmem<128x128xf32> to !tcgen05.tmem<128x4xf8E8M0FNU, scale>
    %sfb = tcgen05.slice %all[0, 68] : !tcgen05.tmem<128x128xf32> to !tcgen05.tmem<64x4xf8E8M0FNU, scale>
    %a = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<128x128xf8E4M3FN, k_major, swizzle_128b>
    %b = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<64x128xf4E2M1FN, k_major, swizzle_128b>
    // CHECK: tcgen05.mma.block_scale %d, %a, %b scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e2m1 -> f32, 128x64, scale_type ue8m0>} : !tcgen05.tmem<128x64xf32>, !tcgen05.smem_descriptor<128x128xf8E4M3FN, k_major, swizzle_128b>, !tcgen05.smem_descriptor<64x128xf4E2M1FN, k_major, swizzle_128b>, !tcgen05.tmem<128x4xf8E8M0FNU, scale>, !tcgen05.tmem<64x4xf8E8M0FNU, scale>
    // GENERIC: "tcgen05.mma.block_scale"(%d, %a, %b, %p, %sfa, %sfb) <{idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e2m1 -> f32, 128x64, scale_type ue8m0>, cta_group = 1 : i32}>
    // PTX: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%r[[D:[0-9]+]]], %rd{{[0-9]+}}, %rd{{[0-9]+}}, 143660032, [%r[[D]]+64], [%r[[D]]+68], %p{{[0-9]+}};
    tcgen05.mma.block_scale %d, %a, %b scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e2m1 -> f32, 128x64, scale_type ue8m0>} : !tcgen05.tmem<128x64xf32>, !tcgen05.smem_descriptor<128x128xf8E4M3FN, k_major, swizzle_128b>, !tcgen05.smem_descriptor<64x128xf4E2M1FN, k_major, swizzle_128b>, !tcgen05.tmem<128x4xf8E8M0FNU, scale>, !tcgen05.tmem<64x4xf8E8M0FNU, scale>
    %a1 = tcgen05.advance %a, k = 32 : !tcgen05.smem_descriptor<128x128xf8E4M3FN, k_major, swizzle_128b>
    %b1 = tcgen05.advance %b, k = 32 : !tcgen05.smem_descriptor<64x128xf4E2M1FN, k_major, swizzle_128b>
    // CHECK: tcgen05.mma.block_scale block32 collector fill %d, %a1, %b1 scales %sfa[id = 1], %sfb[id = 1] accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e2m1 -> f32, 128x64, scale_type ue8m0>}
    // GENERIC: scale_type ue8m0, sfa_id 1, sfb_id 1>
    // PTX: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32.collector::a::fill
    tcgen05.mma.block_scale block32 collector fill %d, %a1, %b1 scales %sfa[id = 1], %sfb[id = 1] accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e2m1 -> f32, 128x64, scale_type ue8m0>} : !tcgen05.tmem<128x64xf32>, !tcgen05.smem_descriptor<128x128xf8E4M3FN, k_major, swizzle_128b, k = 32>, !tcgen05.smem_descriptor<64x128xf4E2M1FN, k_major, swizzle_128b, k = 32>, !tcgen05.tmem<128x4xf8E8M0FNU, scale>, !tcgen05.tmem<64x4xf8E8M0FNU, scale>
    // A descriptor that is computed.
    // CHECK: accumulate %p descriptor %n kind mxf8f6f4
    // PTX: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%r[[D]]], %rd{{[0-9]+}}, %rd{{[0-9]+}}, %r3,
    tcgen05.mma.block_scale %d, %a, %b scales %sfa, %sfb accumulate %p descriptor %n kind mxf8f6f4 : !tcgen05.tmem<128x64xf32>, !tcgen05.smem_descriptor<128x128xf8E4M3FN, k_major, swizzle_128b>, !tcgen05.smem_descriptor<64x128xf4E2M1FN, k_major, swizzle_128b>, !tcgen05.tmem<128x4xf8E8M0FNU, scale>, !tcgen05.tmem<64x4xf8E8M0FNU, scale>
    ptx.ret
  }

  // Elements of 4 bits are packed, two in a byte; so is an A in tensor memory.
  ptx.kernel @mxf4(%slot : i32, %tile : i32) {
    %p = arith.constant true
    %all = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
    %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x128xf32> to !tcgen05.tmem<128x64xf32>
    %sfa = tcgen05.slice %all[0, 64] : !tcgen05.tmem<128x128xf32> to !tcgen05.tmem<128x8xf8E8M0FNU, scale>
    %sfb = tcgen05.slice %all[0, 72] : !tcgen05.tmem<128x128xf32> to !tcgen05.tmem<64x4xf8E8M0FNU, scale>
    %a = tcgen05.slice %all[0, 120] : !tcgen05.tmem<128x128xf32> to !tcgen05.tmem<128x64xf4E2M1FN, a, packed>
    // The second group of four scale factors of each row lies four columns further.
    %next = tcgen05.slice %sfa[0, 4] : !tcgen05.tmem<128x8xf8E8M0FNU, scale> to !tcgen05.tmem<128x4xf8E8M0FNU, scale>
    // CHECK: %b = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<64x256xf4E2M1FN, k_major, swizzle_128b, packed>
    %b = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<64x256xf4E2M1FN, k_major, swizzle_128b, packed>
    // CHECK: !tcgen05.tmem<128x64xf4E2M1FN, a, packed>, !tcgen05.smem_descriptor<64x256xf4E2M1FN, k_major, swizzle_128b, packed>, !tcgen05.tmem<128x4xf8E8M0FNU, scale>, !tcgen05.tmem<64x4xf8E8M0FNU, scale>
    // PTX: tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X [%r[[D:[0-9]+]]], [%r{{[0-9]+}}{{(\+[0-9]+)?}}], %rd{{[0-9]+}}, {{[0-9]+}}, [%r[[D]]+68], [%r[[D]]+72], %p{{[0-9]+}};
    tcgen05.mma.block_scale %d, %a, %b scales %next, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 128x64, scale_type ue8m0, sfa_id 2>} : !tcgen05.tmem<128x64xf32>, !tcgen05.tmem<128x64xf4E2M1FN, a, packed>, !tcgen05.smem_descriptor<64x256xf4E2M1FN, k_major, swizzle_128b, packed>, !tcgen05.tmem<128x4xf8E8M0FNU, scale>, !tcgen05.tmem<64x4xf8E8M0FNU, scale>
    // Advanced by K of one MMA: 32 bytes.
    // PTX: add.s64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, 2;
    %b1 = tcgen05.advance %b, k = 64 : !tcgen05.smem_descriptor<64x256xf4E2M1FN, k_major, swizzle_128b, packed>
    // Scale factors with a mantissa: sixteen elements each, so there is one scale_vectorsize.
    %sfa4 = tcgen05.slice %all[0, 64] : !tcgen05.tmem<128x128xf32> to !tcgen05.tmem<128x4xf8E4M3FN, scale>
    %sfb4 = tcgen05.slice %all[0, 72] : !tcgen05.tmem<128x128xf32> to !tcgen05.tmem<64x4xf8E4M3FN, scale>
    // CHECK: {idesc = #tcgen05.idesc<mxf4nvf4, e2m1 x e2m1 -> f32, 128x64, scale_type ue4m3>}
    // PTX: tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X
    tcgen05.mma.block_scale %d, %a, %b1 scales %sfa4, %sfb4 accumulate %p {idesc = #tcgen05.idesc<mxf4nvf4, e2m1 x e2m1 -> f32, 128x64, scale_type ue4m3>} : !tcgen05.tmem<128x64xf32>, !tcgen05.tmem<128x64xf4E2M1FN, a, packed>, !tcgen05.smem_descriptor<64x256xf4E2M1FN, k_major, swizzle_128b, packed, k = 64>, !tcgen05.tmem<128x4xf8E4M3FN, scale>, !tcgen05.tmem<64x4xf8E4M3FN, scale>
    ptx.ret
  }

  // A CTA has the scale factors of its rows of A, and those of all columns of B; where D is folded
  // they are.
  ptx.kernel @pair(%slot : i32, %tile : i32) attributes {cluster_dims = array<i32: 2>} {
    %p = arith.constant true
    %all = tcgen05.load_address %slot : !tcgen05.tmem<128x512xf32>
    %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x512xf32> to !tcgen05.tmem<64x256xf32, layout_B>
    %sfa = tcgen05.slice %all[0, 256] : !tcgen05.tmem<128x512xf32> to !tcgen05.tmem<64x4xf8E8M0FNU, scale>
    // CHECK: !tcgen05.tmem<256x4xf8E8M0FNU, scale, layout_B>
    %sfb = tcgen05.slice %all[0, 260] : !tcgen05.tmem<128x512xf32> to !tcgen05.tmem<256x4xf8E8M0FNU, scale, layout_B>
    %a = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<64x128xf8E5M2, k_major, swizzle_128b>
    %b = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<128x128xf8E5M2, k_major, swizzle_128b>
    // CHECK: tcgen05.mma.block_scale cta_group_2 %d, %a, %b scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e5m2 x e5m2 -> f32, 128x256, scale_type ue8m0>}
    // PTX: tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale.scale_vec::1X
    tcgen05.mma.block_scale cta_group_2 %d, %a, %b scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e5m2 x e5m2 -> f32, 128x256, scale_type ue8m0>} : !tcgen05.tmem<64x256xf32, layout_B>, !tcgen05.smem_descriptor<64x128xf8E5M2, k_major, swizzle_128b>, !tcgen05.smem_descriptor<128x128xf8E5M2, k_major, swizzle_128b>, !tcgen05.tmem<64x4xf8E8M0FNU, scale>, !tcgen05.tmem<256x4xf8E8M0FNU, scale, layout_B>
    ptx.ret
  }
}
