// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @max_shift(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-IDESC-007]: tcgen05.mma: without .ws, max_shift must be 0; found 8
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256, max_shift 8>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @sparse(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-IDESC-010]: tcgen05.mma: instruction descriptor must be dense; found sparse
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256, sparse>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @element(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-TYPE-004]: tcgen05.mma: element type of A must be f16; found bf16
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, f16 x bf16 -> f32, 128x256>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @rows_of_a(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma: extents of D must be 64x256; found 128x256
  // CHECK: error[T5-TMEM-006]: tcgen05.mma: data path layout of D must be layout_F; found none
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma: rows of A in this CTA must be 64; found 128
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x256>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @rows_of_b(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma: extents of D must be 128x128; found 128x256
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma: rows of B in this CTA must be 128; found 256
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @extents_of_d(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  %e = tcgen05.slice %d[0, 0] : !d to !tcgen05.tmem<128x128xf32>
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma: extents of D must be 128x256; found 128x128
  tcgen05.mma %e, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !tcgen05.tmem<128x128xf32>, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @extents_of_a(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  %e = tcgen05.slice %d[0, 0] : !d to !tcgen05.tmem<128x64xbf16, a>
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma: extents of A must be 128x16; found 128x64
  tcgen05.mma %d, %e, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !tcgen05.tmem<128x64xbf16, a>, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @k(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  %e = tcgen05.advance %a, k = 56 : !a
  // CHECK: error[T5-DESC-013]: tcgen05.mma: elements along K of A must be at least 16; found 8
  tcgen05.mma %d, %e, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 56>, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @major(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-SWIZZLE-004]: tcgen05.mma: transpose bit of A must be 0 for a k_major tile; found 1
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256, transpose_a>} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @layout_of_d(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  %a64 = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
  %e = tcgen05.slice %d[0, 0] : !d to !tcgen05.tmem<64x256xf32>
  // CHECK: error[T5-TMEM-006]: tcgen05.mma: data path layout of D must be layout_F; found none
  tcgen05.mma %e, %a64, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x256>} : !tcgen05.tmem<64x256xf32>, !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @other_layout(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  %e = tcgen05.slice %d[0, 0] : !d to !tcgen05.tmem<128x256xf32, layout_B>
  // CHECK: error[T5-TMEM-006]: tcgen05.mma: data path layout of D must be layout_D or none; found layout_B
  // CHECK: help: the type !tcgen05.tmem<128x256xf32> has it
  tcgen05.mma %e, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !tcgen05.tmem<128x256xf32, layout_B>, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @lane_of_d(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  %a64 = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
  %e = tcgen05.slice %d[8, 0] : !d to !tcgen05.tmem<64x256xf32, layout_F>
  // CHECK: error[T5-TMEM-002]: tcgen05.mma: lane of D in layout F must be 0 or 16; found 8
  tcgen05.mma %e, %a64, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x256>} : !tcgen05.tmem<64x256xf32, layout_F>, !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
ptx.kernel @same_lane(%slot : i32, %tile : i32, %n : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  %e = tcgen05.slice %d[0, 0] : !d to !tcgen05.tmem<64x128xf32, layout_F>
  %f = tcgen05.slice %d[16, 128] : !d to !tcgen05.tmem<64x16xbf16, a, layout_F>
  %b128 = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  // CHECK: error[T5-TMEM-007]: tcgen05.mma: lane of A must be 0, the lane of D; found 16
  tcgen05.mma %e, %f, %b128 accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x128>} : !tcgen05.tmem<64x128xf32, layout_F>, !tcgen05.tmem<64x16xbf16, a, layout_F>, !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @target(%d : i32, %tile : i32) {
    %p = arith.constant true
    %e = tcgen05.load_address %d : !tcgen05.tmem<128x64xi32>
    %a = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<128x32xsi8, k_major, swizzle_32b>
    %b = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<64x32xsi8, k_major, swizzle_32b>
    // CHECK: error[T5-TARGET-004]: tcgen05.mma: target for .kind::i8 must be sm_100a, sm_101a or sm_110a; found sm_103a
    tcgen05.mma %e, %a, %b accumulate %p {idesc = #tcgen05.idesc<i8, s8 x s8 -> s32, 128x64>} : !tcgen05.tmem<128x64xi32>, !tcgen05.smem_descriptor<128x32xsi8, k_major, swizzle_32b>, !tcgen05.smem_descriptor<64x32xsi8, k_major, swizzle_32b>
    ptx.ret
  }
}

// -----

// B of 8-bit elements, transposed, needs a larger step of N than otherwise (Table 50).
ptx.kernel @transposed_bytes(%d : i32, %tile : i32) {
  %p = arith.constant true
  %e = tcgen05.load_address %d : !tcgen05.tmem<128x64xf32>
  %f = tcgen05.slice %e[0, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<128x24xf32>
  %a = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
  %b = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<32x32xf8E4M3FN, mn_major, swizzle_32b>
  // CHECK: error[T5-SHAPE-003]: tcgen05.mma: N must be 16, 32, ... 256; found 24
  tcgen05.mma %f, %a, %b accumulate %p {idesc = #tcgen05.idesc<f8f6f4, e4m3 x e4m3 -> f32, 128x24, transpose_b>} : !tcgen05.tmem<128x24xf32>, !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>, !tcgen05.smem_descriptor<32x32xf8E4M3FN, mn_major, swizzle_32b>
  ptx.ret
}

// -----

ptx.kernel @f16_accumulator_of_bf16(%slot : i32, %tile : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf16>
  %a = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  %b = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
  // CHECK: error[T5-TYPE-003]: tcgen05.mma: kind f16 with D of type f16 needs A of type f16; found bf16
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f16, 128x256>} : !tcgen05.tmem<128x256xf16>, !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>, !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x128xf32>
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @constant_descriptor(%slot : i32, %tile : i32, %n : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %n, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  // kind f16, bf16 x bf16 -> f32, 64x64
  %descriptor = arith.constant 0x04100490 : i32
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma: extents of D must be 64x64; found 128x128
  // CHECK: error[T5-TMEM-006]: tcgen05.mma: data path layout of D must be layout_F; found none
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma: rows of A in this CTA must be 64; found 128
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma: rows of B in this CTA must be 64; found 128
  tcgen05.mma %d, %a, %a accumulate %p descriptor %descriptor {kind = "f16"} : !d, !a, !a
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x128xf32>
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @constant_that_is_no_descriptor(%slot : i32, %tile : i32, %n : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %n, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %descriptor = arith.constant 0x08200444 : i32
  // CHECK: error[T5-IDESC-003]: tcgen05.mma: fixed bits of the instruction descriptor must be 0b0; found 0b1
  tcgen05.mma %d, %a, %a accumulate %p descriptor %descriptor {kind = "f16"} : !d, !a, !a
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x128xf32>
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @swapped(%slot : i32, %tile : i32, %n : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %n, %zero : i32
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  // CHECK: error[T5-TMEM-005]: tcgen05.mma: D and A look swapped: type of D must be !tcgen05.tmem of role accumulator; found !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  tcgen05.mma %a, %d, %a accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>} : !a, !d, !a
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x128xf32>
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @swapped_with_b(%slot : i32, %tile : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  // CHECK: error[T5-TMEM-005]: tcgen05.mma: D and B look swapped: type of D must be !tcgen05.tmem of role accumulator; found !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  tcgen05.mma %a, %a, %d accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>} : !a, !a, !d
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x128xf32>
!a = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @swapped_in_tensor_memory(%slot : i32, %tile : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.slice %d[0, 0] : !d to !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-TMEM-005]: tcgen05.mma: D and A look swapped: role of D must be accumulator; found a
  tcgen05.mma %a, %d, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>} : !a, !d, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x256xf32>
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
ptx.kernel @swapped_tiles(%slot : i32, %tile : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-SHAPE-005]: tcgen05.mma: A and B look swapped: rows of A in this CTA must be 128; found 256
  tcgen05.mma %d, %b, %a accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !b, !a
  ptx.ret
}

// -----

// No order of these operands is right.
!d = !tcgen05.tmem<128x128xf32>
ptx.kernel @one_matrix(%slot : i32) {
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  // CHECK: error[T5-TMEM-005]: tcgen05.mma: role of A must be a; found accumulator
  // CHECK: error[T5-TMEM-005]: tcgen05.mma: type of B must be !tcgen05.smem_descriptor; found !tcgen05.tmem<128x128xf32>
  tcgen05.mma %d, %d, %d accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>} : !d, !d, !d
  ptx.ret
}
