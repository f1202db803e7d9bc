// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x16xf16, k_major, swizzle_32b>
!t = !tcgen05.tmem<128x32xf16, a>
!b = !tcgen05.smem_descriptor<64x32xf16, k_major, swizzle_64b>
!e = !tcgen05.tmem<128x8xi4, metadata>
ptx.kernel @dense() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %e : !e, %p : i1):
  // CHECK: error[T5-IDESC-010]: tcgen05.mma.sp: instruction descriptor must be sparse; found dense
  tcgen05.mma.sp %d, %a, %b metadata %e accumulate %p {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64>} : !d, !a, !b, !e
  ptx.ret
}

// -----

// Half of K = 32 is stored.
!d = !tcgen05.tmem<128x64xf32>
!half = !tcgen05.smem_descriptor<128x8xf16, k_major, no_swizzle>
!t = !tcgen05.tmem<128x32xf16, a>
!b = !tcgen05.smem_descriptor<64x32xf16, k_major, swizzle_64b>
!e = !tcgen05.tmem<128x8xi4, metadata>
ptx.kernel @half_of_k() {
  ptx.ret
^operands(%d : !d, %half : !half, %b : !b, %e : !e, %p : i1):
  // CHECK: error[T5-DESC-013]: tcgen05.mma.sp: elements along K of A must be at least 16; found 8
  tcgen05.mma.sp %d, %half, %b metadata %e accumulate %p {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64, sparse>} : !d, !half, !b, !e
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!t = !tcgen05.tmem<128x32xf16, a>
!b = !tcgen05.smem_descriptor<64x32xf16, k_major, swizzle_64b>
!e = !tcgen05.tmem<128x8xi4, metadata>
ptx.kernel @all_of_k() {
  ptx.ret
^operands(%d : !d, %t : !t, %b : !b, %e : !e, %p : i1):
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma.sp: extents of A must be 128x16; found 128x32
  tcgen05.mma.sp %d, %t, %b metadata %e accumulate %p {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64, sparse>} : !d, !t, !b, !e
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x16xf16, k_major, swizzle_32b>
!t = !tcgen05.tmem<128x32xf16, a>
!b = !tcgen05.smem_descriptor<64x32xf16, k_major, swizzle_64b>
!plain = !tcgen05.tmem<128x8xf32>
ptx.kernel @role() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %plain : !plain, %p : i1):
  // CHECK: error[T5-TMEM-005]: tcgen05.mma.sp: role of the metadata must be metadata; found accumulator
  tcgen05.mma.sp %d, %a, %b metadata %plain accumulate %p {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64, sparse>} : !d, !a, !b, !plain
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x16xf16, k_major, swizzle_32b>
!t = !tcgen05.tmem<128x32xf16, a>
!b = !tcgen05.smem_descriptor<64x32xf16, k_major, swizzle_64b>
!rows = !tcgen05.tmem<64x8xi4, metadata>
ptx.kernel @rows() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %rows : !rows, %p : i1):
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma.sp: extents of the metadata must be 128x8, or more columns; found 64x8
  tcgen05.mma.sp %d, %a, %b metadata %rows accumulate %p {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64, sparse>} : !d, !a, !b, !rows
  ptx.ret
}

// -----

// The selector names a column of the metadata, which has to be there.
!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x16xf16, k_major, swizzle_32b>
!t = !tcgen05.tmem<128x32xf16, a>
!b = !tcgen05.smem_descriptor<64x32xf16, k_major, swizzle_64b>
!e = !tcgen05.tmem<128x8xi4, metadata>
ptx.kernel @selector() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %e : !e, %p : i1):
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma.sp: extents of the metadata must be 128x16, or more columns; found 128x8
  tcgen05.mma.sp %d, %a, %b metadata %e accumulate %p {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64, sparse, sparsity_selector 1>} : !d, !a, !b, !e
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x16xf16, k_major, swizzle_32b>
!t = !tcgen05.tmem<128x32xf16, a>
!b = !tcgen05.smem_descriptor<64x32xf16, k_major, swizzle_64b>
!layout = !tcgen05.tmem<128x8xi4, metadata, layout_E>
ptx.kernel @layout() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %layout : !layout, %p : i1):
  // CHECK: error[T5-TMEM-006]: tcgen05.mma.sp: data path layout of the metadata must be layout_D or none; found layout_E
  tcgen05.mma.sp %d, %a, %b metadata %layout accumulate %p {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64, sparse>} : !d, !a, !b, !layout
  ptx.ret
}

// -----

!hd = !tcgen05.tmem<64x32xf32, layout_F>
!he = !tcgen05.tmem<64x8xi4, metadata, layout_F>
!ha = !tcgen05.smem_descriptor<64x16xf16, k_major, swizzle_32b>
!hb = !tcgen05.smem_descriptor<32x32xf16, k_major, swizzle_64b>
ptx.kernel @lane() {
  ptx.ret
^operands(%ha : !ha, %hb : !hb, %p : i1, %n : i32):
  %all = tcgen05.load_address %n : !tcgen05.tmem<128x64xf32>
  %h = tcgen05.slice %all[16, 0] : !tcgen05.tmem<128x64xf32> to !hd
  %e = tcgen05.slice %all[0, 32] : !tcgen05.tmem<128x64xf32> to !he
  // CHECK: error[T5-TMEM-007]: tcgen05.mma.sp: lane of the metadata must be 16, the lane of D; found 0
  tcgen05.mma.sp %h, %ha, %hb metadata %e accumulate %p {idesc = #tcgen05.idesc<f16, f16 x f16 -> f32, 64x32, sparse>} : !hd, !ha, !hb, !he
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x16xf16, k_major, swizzle_32b>
!t = !tcgen05.tmem<128x32xf16, a>
!b = !tcgen05.smem_descriptor<64x32xf16, k_major, swizzle_64b>
!e = !tcgen05.tmem<128x8xi4, metadata>
!a4 = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
!b4 = !tcgen05.smem_descriptor<64x128xf4E2M1FN, k_major, swizzle_64b, packed>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
ptx.kernel @lanes_of_scaled() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %e : !e, %a4 : !a4, %b4 : !b4, %sfa : !sfa, %sfb : !sfb, %p : i1):
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma.sp.block_scale: extents of the metadata must be 128x16, or more columns; found 128x8
  tcgen05.mma.sp.block_scale %d, %a4, %b4 metadata %e scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 128x64, sparse, scale_type ue8m0>} : !d, !a4, !b4, !e, !sfa, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x16xf16, k_major, swizzle_32b>
!t = !tcgen05.tmem<128x32xf16, a>
!b = !tcgen05.smem_descriptor<64x32xf16, k_major, swizzle_64b>
!e = !tcgen05.tmem<128x8xi4, metadata>
!a4 = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
!b4 = !tcgen05.smem_descriptor<64x128xf4E2M1FN, k_major, swizzle_64b, packed>
!e4 = !tcgen05.tmem<128x16xi4, metadata>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
builtin.module attributes {ptx.target = #ptx.target<"sm_100f", "8.8">} {
  ptx.kernel @target() {
    ptx.ret
  ^operands(%d : !d, %a : !a, %b : !b, %e : !e, %a4 : !a4, %b4 : !b4, %e4 : !e4, %sfa : !sfa, %sfb : !sfb, %p : i1):
    // CHECK: error[T5-TARGET-006]: tcgen05.mma.sp.block_scale: target for sparse .kind::mxf4 and mxf4nvf4 must be sm_100a, sm_101a, sm_103a or sm_110a; found sm_100f
    tcgen05.mma.sp.block_scale %d, %a4, %b4 metadata %e4 scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 128x64, sparse, scale_type ue8m0>} : !d, !a4, !b4, !e4, !sfa, !sfb
    ptx.ret
  }
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x16xf16, k_major, swizzle_32b>
!t = !tcgen05.tmem<128x32xf16, a>
!b = !tcgen05.smem_descriptor<64x32xf16, k_major, swizzle_64b>
!e = !tcgen05.tmem<128x8xi4, metadata>
!a4 = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
!b4 = !tcgen05.smem_descriptor<64x128xf4E2M1FN, k_major, swizzle_64b, packed>
!e4 = !tcgen05.tmem<128x16xi4, metadata>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
ptx.kernel @k96() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %e : !e, %a4 : !a4, %b4 : !b4, %e4 : !e4, %sfa : !sfa, %sfb : !sfb, %p : i1):
  // CHECK: error[T5-SHAPE-002]: tcgen05.mma.sp.block_scale: kind mxf4 with sparse needs K 128; found 96
  tcgen05.mma.sp.block_scale %d, %a4, %b4 metadata %e4 scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 128x64, sparse, scale_type ue8m0, k96>} : !d, !a4, !b4, !e4, !sfa, !sfb
  ptx.ret
}
