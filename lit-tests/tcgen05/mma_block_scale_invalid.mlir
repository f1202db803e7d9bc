// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
ptx.kernel @kind() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %p : i1):
  // CHECK: error[T5-TYPE-002]: tcgen05.mma.block_scale: kind with scale factors must be mxf8f6f4, mxf4 or mxf4nvf4; found f8f6f4
  tcgen05.mma.block_scale %d, %a, %b scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<f8f6f4, e4m3 x e4m3 -> f32, 128x64>} : !d, !a, !b, !sfa, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
ptx.kernel @scale_type() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %p : i1):
  // CHECK: error[T5-TYPE-003]: tcgen05.mma.block_scale: kind mxf8f6f4 needs scale_type ue8m0; found none
  tcgen05.mma.block_scale %d, %a, %b scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64>} : !d, !a, !b, !sfa, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!a4 = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
!b4 = !tcgen05.smem_descriptor<64x64xf4E2M1FN, k_major, swizzle_32b, packed>
ptx.kernel @scale_type_of_another_kind() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %a4 : !a4, %b4 : !b4, %p : i1):
  // CHECK: error[T5-TYPE-003]: tcgen05.mma.block_scale: kind mxf4 needs scale_type ue8m0; found ue4m3
  tcgen05.mma.block_scale %d, %a4, %b4 scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 128x64, scale_type ue4m3>} : !d, !a4, !b4, !sfa, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
ptx.kernel @spelling() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %p : i1):
  // CHECK: error[T5-SCALE-010]: tcgen05.mma.block_scale: kind mxf8f6f4 takes scale_vectorsize none, block32 or scale_vec_1x; found scale_vec_2x
  tcgen05.mma.block_scale %d, %a, %b scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>, scale_vectorsize = "scale_vec_2x"} : !d, !a, !b, !sfa, !sfb
  ptx.ret
}

// -----

// Scale factors without a mantissa may be those of 16 or of 32 elements.
!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!a4 = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
!b4 = !tcgen05.smem_descriptor<64x64xf4E2M1FN, k_major, swizzle_32b, packed>
ptx.kernel @two_meanings() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %a4 : !a4, %b4 : !b4, %p : i1):
  // CHECK: error[T5-SCALE-010]: tcgen05.mma.block_scale: kind mxf4nvf4 needs scale_vectorsize block16, block32, scale_vec_2x or scale_vec_4x; found none
  tcgen05.mma.block_scale %d, %a4, %b4 scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4nvf4, e2m1 x e2m1 -> f32, 128x64, scale_type ue8m0>} : !d, !a4, !b4, !sfa, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!a4 = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
!b4 = !tcgen05.smem_descriptor<64x64xf4E2M1FN, k_major, swizzle_32b, packed>
ptx.kernel @mantissa_of_32_elements() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %a4 : !a4, %b4 : !b4, %p : i1):
  // CHECK: error[T5-SCALE-010]: tcgen05.mma.block_scale: scale_type ue4m3 needs scale_vectorsize block16 or scale_vec_4x; found scale_vec_2x
  tcgen05.mma.block_scale %d, %a4, %b4 scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4nvf4, e2m1 x e2m1 -> f32, 128x64, scale_type ue4m3>, scale_vectorsize = "scale_vec_2x"} : !d, !a4, !b4, !sfa, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!a4 = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
!b4 = !tcgen05.smem_descriptor<64x64xf4E2M1FN, k_major, swizzle_32b, packed>
ptx.kernel @id() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %a4 : !a4, %b4 : !b4, %p : i1):
  // CHECK: error[T5-SCALE-001]: tcgen05.mma.block_scale: kind mxf4 without k96 needs sfb_id 0 or 2; found 1
  tcgen05.mma.block_scale %d, %a4, %b4 scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 128x64, scale_type ue8m0, sfb_id 1>} : !d, !a4, !b4, !sfa, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!a4 = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
!b4 = !tcgen05.smem_descriptor<64x64xf4E2M1FN, k_major, swizzle_32b, packed>
ptx.kernel @id_of_four() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %a4 : !a4, %b4 : !b4, %p : i1):
  // CHECK: error[T5-SCALE-001]: tcgen05.mma.block_scale: sfa_id with 4 scale factors must be 0; found 2
  tcgen05.mma.block_scale %d, %a4, %b4 scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4nvf4, e2m1 x e2m1 -> f32, 128x64, scale_type ue8m0, sfa_id 2>, scale_vectorsize = "block16"} : !d, !a4, !b4, !sfa, !sfb
  ptx.ret
}

// -----

// The ID counts from the first scale factor of the operand.
!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!short = !tcgen05.tmem<128x2xf8E8M0FNU, scale>
!a4 = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
!b4 = !tcgen05.smem_descriptor<64x64xf4E2M1FN, k_major, swizzle_32b, packed>
ptx.kernel @factors() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfb : !sfb, %short : !short, %a4 : !a4, %b4 : !b4, %p : i1):
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma.block_scale: extents of scale_a must be 128x4, or more columns; found 128x2
  tcgen05.mma.block_scale %d, %a4, %b4 scales %short, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 128x64, scale_type ue8m0, sfa_id 2>} : !d, !a4, !b4, !short, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!rows = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
ptx.kernel @rows() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfb : !sfb, %rows : !rows, %p : i1):
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma.block_scale: extents of scale_a must be 128x1, or more columns; found 64x4
  tcgen05.mma.block_scale %d, %a, %b scales %rows, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>} : !d, !a, !b, !rows, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!folded = !tcgen05.tmem<64x4xf8E8M0FNU, scale, layout_B>
ptx.kernel @layout() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %folded : !folded, %p : i1):
  // CHECK: error[T5-TMEM-006]: tcgen05.mma.block_scale: data path layout of scale_b must be none; found layout_B
  tcgen05.mma.block_scale %d, %a, %b scales %sfa, %folded accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>} : !d, !a, !b, !sfa, !folded
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!mantissa = !tcgen05.tmem<128x4xf8E4M3FN, scale>
ptx.kernel @element() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfb : !sfb, %mantissa : !mantissa, %p : i1):
  // CHECK: error[T5-TYPE-004]: tcgen05.mma.block_scale: element type of scale_a must be ue8m0; found ue4m3
  tcgen05.mma.block_scale %d, %a, %b scales %mantissa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>} : !d, !a, !b, !mantissa, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!plain = !tcgen05.tmem<128x1xf32>
ptx.kernel @role() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %plain : !plain, %p : i1):
  // CHECK: error[T5-TMEM-005]: tcgen05.mma.block_scale: role of scale_b must be scale; found accumulator
  tcgen05.mma.block_scale %d, %a, %b scales %sfa, %plain accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>} : !d, !a, !b, !sfa, !plain
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
ptx.kernel @column() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfb : !sfb, %p : i1, %n : i32):
  %all = tcgen05.load_address %n : !tcgen05.tmem<128x64xf32>
  // CHECK: error[T5-SCALE-002]: tcgen05.slice: first column of a scale factor matrix must be 0, 4, ... 508; found 2
  %e = tcgen05.slice %all[0, 2] : !tcgen05.tmem<128x64xf32> to !sfa
  tcgen05.mma.block_scale %d, %a, %b scales %e, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>} : !d, !a, !b, !sfa, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!b4 = !tcgen05.smem_descriptor<64x64xf4E2M1FN, k_major, swizzle_32b, packed>
!w4 = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b>
ptx.kernel @packing() {
  ptx.ret
^operands(%d : !d, %b : !b, %sfa : !sfa, %sfb : !sfb, %b4 : !b4, %w4 : !w4, %p : i1):
  // CHECK: error[T5-TYPE-005]: tcgen05.mma.block_scale: packing of A must be packed; found padded
  tcgen05.mma.block_scale %d, %w4, %b4 scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 128x64, scale_type ue8m0>} : !d, !w4, !b4, !sfa, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
ptx.kernel @k96_of_another_kind() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %p : i1):
  // CHECK: error[T5-IDESC-005]: tcgen05.mma.block_scale: kind mxf8f6f4 takes no k96
  tcgen05.mma.block_scale %d, %a, %b scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0, k96>} : !d, !a, !b, !sfa, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!a4 = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
!b4 = !tcgen05.smem_descriptor<64x64xf4E2M1FN, k_major, swizzle_32b, packed>
ptx.kernel @shape() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %a4 : !a4, %b4 : !b4, %p : i1):
  // CHECK: error[T5-SHAPE-002]: tcgen05.mma.block_scale: kind mxf4 with cta_group 1 needs M 128; found 256
  tcgen05.mma.block_scale %d, %a4, %b4 scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 256x64, scale_type ue8m0>} : !d, !a4, !b4, !sfa, !sfb
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
builtin.module attributes {ptx.target = #ptx.target<"sm_100f", "8.8">} {
  ptx.kernel @target_of_spelling() {
    ptx.ret
  ^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %p : i1):
    // CHECK: error[T5-TARGET-008]: tcgen05.mma.block_scale: target for .scale_vec::NX must be sm_100a, sm_101a, sm_103a or sm_110a; found sm_100f
    tcgen05.mma.block_scale %d, %a, %b scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>, scale_vectorsize = "scale_vec_1x"} : !d, !a, !b, !sfa, !sfb
    ptx.ret
  }
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
  ptx.kernel @version_of_spelling() {
    ptx.ret
  ^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %p : i1):
    // CHECK: error[T5-TARGET-009]: tcgen05.mma.block_scale: PTX version for .block16 and .block32 on sm_100a must be 8.8 or later; found 8.7
    tcgen05.mma.block_scale %d, %a, %b scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>, scale_vectorsize = "block32"} : !d, !a, !b, !sfa, !sfb
    ptx.ret
  }
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!a4 = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
!b4 = !tcgen05.smem_descriptor<64x64xf4E2M1FN, k_major, swizzle_32b, packed>
builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
  ptx.kernel @version_of_kind() {
    ptx.ret
  ^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %a4 : !a4, %b4 : !b4, %p : i1):
    // CHECK: error[T5-TARGET-005]: tcgen05.mma.block_scale: PTX version for .kind::mxf4nvf4 on sm_100a must be 8.7 or later; found 8.6
    tcgen05.mma.block_scale %d, %a4, %b4 scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4nvf4, e2m1 x e2m1 -> f32, 128x64, scale_type ue4m3>} : !d, !a4, !b4, !sfa, !sfb
    ptx.ret
  }
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!sfa = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!sfb = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!a4 = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
!b4 = !tcgen05.smem_descriptor<64x64xf4E2M1FN, k_major, swizzle_32b, packed>
builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @target_of_k96() {
    ptx.ret
  ^operands(%d : !d, %a : !a, %b : !b, %sfa : !sfa, %sfb : !sfb, %a4 : !a4, %b4 : !b4, %p : i1):
    // CHECK: error[T5-TARGET-010]: tcgen05.mma.block_scale: target for K = 96 must be sm_103a; found sm_100a
    tcgen05.mma.block_scale %d, %a4, %b4 scales %sfa, %sfb accumulate %p {idesc = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 128x64, scale_type ue8m0, k96>} : !d, !a4, !b4, !sfa, !sfb
    ptx.ret
  }
}
