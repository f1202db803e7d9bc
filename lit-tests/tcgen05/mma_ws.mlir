// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

// M = 32 folds the columns of D into four quarters of the lanes; so A in tensor memory is repeated.
!a = !tcgen05.smem_descriptor<32x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<32x16xbf16, a, layout_G>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<32x64xf32, layout_G>
ptx.kernel @quarters(%slot : i32, %tile : i32, %mask : i64, %n : i32) {
  %p = arith.constant true
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x32xf32> to !d
  %t = tcgen05.slice %all[0, 16] : !tcgen05.tmem<128x32xf32> to !t
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: tcgen05.mma.ws %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 32x64>} : !tcgen05.tmem<32x64xf32, layout_G>, !tcgen05.smem_descriptor<32x64xbf16, k_major, swizzle_128b>, !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
  // GENERIC: "tcgen05.mma.ws"(%d, %a, %b, %p) <{idesc
  // PTX: tcgen05.mma.ws.cta_group::1.kind::f16 [%r[[D:[0-9]+]]], %rd{{[0-9]+}}, %rd{{[0-9]+}}, 34604176, %p{{[0-9]+}};
  tcgen05.mma.ws %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 32x64>} : !d, !a, !b
  // CHECK: tcgen05.mma.ws collector b1 fill %d, %t, %b accumulate %p zero_column_mask #tcgen05.zero_column_mask<non_zero, skip_span 2, use_span 3> {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 32x64>}
  // PTX: tcgen05.mma.ws.cta_group::1.kind::f16.collector::b1::fill [%r[[D]]], [%r{{[0-9]+}}{{(\+[0-9]+)?}}], %rd{{[0-9]+}}, 34604176, %p{{[0-9]+}}, 847173709201408;
  tcgen05.mma.ws collector b1 fill %d, %t, %b accumulate %p zero_column_mask #tcgen05.zero_column_mask<non_zero, skip_span 2, use_span 3> {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 32x64>} : !d, !t, !b
  // CHECK: tcgen05.mma.ws collector b3 lastuse %d, %a, %b accumulate %p zero_column_mask %mask {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 32x64, max_shift 8>}
  // GENERIC: "tcgen05.mma.ws"(%d, %a, %b, %p, %mask)
  // PTX: tcgen05.mma.ws.cta_group::1.kind::f16.collector::b3::lastuse [%r[[D]]], %rd{{[0-9]+}}, %rd{{[0-9]+}}, 1108346000, %p{{[0-9]+}}, %rd1;
  tcgen05.mma.ws collector b3 lastuse %d, %a, %b accumulate %p zero_column_mask %mask {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 32x64, max_shift 8>} : !d, !a, !b
  // CHECK: accumulate %p descriptor %n kind f16 zero_column_mask %mask
  // PTX: tcgen05.mma.ws.cta_group::1.kind::f16 [%r[[D]]], %rd{{[0-9]+}}, %rd{{[0-9]+}}, %r3, %p{{[0-9]+}}, %rd1;
  tcgen05.mma.ws %d, %a, %b accumulate %p descriptor %n kind f16 zero_column_mask %mask : !d, !a, !b
  ptx.ret
}

// M = 64 folds them into two halves, and the metadata is repeated as A would be; M = 128 does not.
!e = !tcgen05.tmem<64x16xi4, metadata, layout_E>
!f = !tcgen05.tmem<128x16xi4, metadata>
!b8 = !tcgen05.smem_descriptor<64x64xui8, k_major, swizzle_64b>
ptx.kernel @sparse(%slot : i32, %tile : i32, %mask : i64) {
  %p = arith.constant true
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x128xi32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x128xi32> to !tcgen05.tmem<64x64xi32, layout_E>
  %e = tcgen05.slice %all[0, 64] : !tcgen05.tmem<128x128xi32> to !e
  %a = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<64x32xui8, k_major, swizzle_32b>
  %b = tcgen05.descriptor %tile : !b8
  // CHECK: tcgen05.mma.ws.sp collector b0 use %d, %a, %b metadata %e accumulate %p zero_column_mask %mask {idesc = #tcgen05.idesc<i8, u8 x u8 -> s32, 64x64, sparse>} : !tcgen05.tmem<64x64xi32, layout_E>, !tcgen05.smem_descriptor<64x32xui8, k_major, swizzle_32b>, !tcgen05.smem_descriptor<64x64xui8, k_major, swizzle_64b>, !tcgen05.tmem<64x16xi4, metadata, layout_E>
  // GENERIC: "tcgen05.mma.ws.sp"(%d, %a, %b, %p, %e, %mask)
  // PTX: tcgen05.mma.ws.sp.cta_group::1.kind::i8.collector::b0::use [%r[[D:[0-9]+]]], %rd{{[0-9]+}}, %rd{{[0-9]+}}, [%r[[D]]+64], {{[0-9]+}}, %p{{[0-9]+}}, %rd1;
  tcgen05.mma.ws.sp collector b0 use %d, %a, %b metadata %e accumulate %p zero_column_mask %mask {idesc = #tcgen05.idesc<i8, u8 x u8 -> s32, 64x64, sparse>} : !tcgen05.tmem<64x64xi32, layout_E>, !tcgen05.smem_descriptor<64x32xui8, k_major, swizzle_32b>, !b8, !e
  %d1 = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x128xi32> to !tcgen05.tmem<128x64xi32>
  %f = tcgen05.slice %all[0, 64] : !tcgen05.tmem<128x128xi32> to !f
  %t = tcgen05.slice %all[0, 66] : !tcgen05.tmem<128x128xi32> to !tcgen05.tmem<128x32xui8, a>
  // CHECK: tcgen05.mma.ws.sp %d1, %t, %b metadata %f accumulate %p {idesc
  // PTX: tcgen05.mma.ws.sp.cta_group::1.kind::i8 [%r[[D]]], [%r{{[0-9]+}}{{(\+[0-9]+)?}}], %rd{{[0-9]+}}, [%r[[D]]+64], {{[0-9]+}}, %p{{[0-9]+}};
  tcgen05.mma.ws.sp %d1, %t, %b metadata %f accumulate %p {idesc = #tcgen05.idesc<i8, u8 x u8 -> s32, 128x64, sparse>} : !tcgen05.tmem<128x64xi32>, !tcgen05.tmem<128x32xui8, a>, !b8, !f
  ptx.ret
}
