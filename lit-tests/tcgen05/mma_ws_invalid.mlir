// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!d = !tcgen05.tmem<64x64xf32, layout_E>
!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<64x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @pair() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-SHAPE-001]: tcgen05.mma.ws: .ws needs cta_group 1; found 2
  tcgen05.mma.ws %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x64>, cta_group = 2 : i32} : !d, !a, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<64x64xf32, layout_E>
!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<64x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @buffer_of_a() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-COLLECTOR-001]: tcgen05.mma.ws: .ws needs collector buffer b0, b1, b2 or b3; found a
  tcgen05.mma.ws %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x64>, collector_buffer = "a", collector = "use"} : !d, !a, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<64x64xf32, layout_E>
!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<64x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @no_buffer() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-COLLECTOR-001]: tcgen05.mma.ws: .ws needs collector buffer b0, b1, b2 or b3; found none
  tcgen05.mma.ws %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x64>, collector = "use"} : !d, !a, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<64x64xf32, layout_E>
!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<64x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @buffer_only() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-COLLECTOR-001]: tcgen05.mma.ws: collector must be discard, fill, lastuse or use; found none
  tcgen05.mma.ws %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x64>, collector_buffer = "b1"} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<64x16xbf16, a>
!w = !tcgen05.tmem<64x96xf32, layout_E>
!v = !tcgen05.smem_descriptor<96x64xbf16, k_major, swizzle_128b>
ptx.kernel @n() {
  ptx.ret
^operands(%a : !a, %w : !w, %v : !v, %p : i1):
  // CHECK: error[T5-SHAPE-002]: tcgen05.mma.ws: .ws needs N 64, 128 or 256; found 96
  tcgen05.mma.ws %w, %a, %v accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x96>} : !w, !a, !v
  ptx.ret
}

// -----

!f = !tcgen05.tmem<64x64xf32, layout_F>
!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<64x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @layout_of_d() {
  ptx.ret
^operands(%f : !f, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-TMEM-006]: tcgen05.mma.ws: data path layout of D must be layout_E; found layout_F
  tcgen05.mma.ws %f, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x64>} : !f, !a, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<64x64xf32, layout_E>
!t = !tcgen05.tmem<64x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @layout_of_a() {
  ptx.ret
^operands(%d : !d, %t : !t, %b : !b, %p : i1):
  // CHECK: error[T5-TMEM-006]: tcgen05.mma.ws: data path layout of A must be layout_E; found none
  tcgen05.mma.ws %d, %t, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x64>} : !d, !t, !b
  ptx.ret
}

// -----

!t = !tcgen05.tmem<64x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!g = !tcgen05.tmem<32x64xf32, layout_G>
!q = !tcgen05.smem_descriptor<32x64xbf16, k_major, swizzle_128b>
ptx.kernel @shift_of_a_quarter() {
  ptx.ret
^operands(%b : !b, %g : !g, %q : !q, %p : i1):
  // CHECK: error[T5-DESC-011]: tcgen05.mma.ws: M 32 needs column_shift 0, 1, ... 16; found 20
  tcgen05.mma.ws %g, %q, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 32x64>, zero_column_mask = #tcgen05.zero_column_mask<column_shift 20>} : !g, !q, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<64x64xf32, layout_E>
!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<64x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @shift() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-DESC-011]: tcgen05.mma.ws: column_shift must be 0, 1, ... 32; found 40
  tcgen05.mma.ws %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x64>, zero_column_mask = #tcgen05.zero_column_mask<column_shift 40>} : !d, !a, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<64x64xf32, layout_E>
!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<64x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @span() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-DESC-010]: tcgen05.mma.ws: skip_span must be 0, 1, ... 255; found 256
  tcgen05.mma.ws %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x64>, zero_column_mask = #tcgen05.zero_column_mask<skip_span 256>} : !d, !a, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<64x64xf32, layout_E>
!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<64x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @two_masks() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1, %mask : i64):
  // CHECK: error[T5-MMA-001]: tcgen05.mma.ws: zero-column mask must be an attribute or an operand; found both
  tcgen05.mma.ws %d, %a, %b accumulate %p zero_column_mask %mask {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x64>, zero_column_mask = #tcgen05.zero_column_mask<non_zero>} : !d, !a, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<64x64xf32, layout_E>
!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<64x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @constant_mask() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  %m = arith.constant 0x1000000000 : i64
  // CHECK: error[T5-DESC-010]: tcgen05.mma.ws: fixed bits of the zero-column mask must be 0b000; found 0b001
  tcgen05.mma.ws %d, %a, %b accumulate %p zero_column_mask %m {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x64>} : !d, !a, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<64x64xf32, layout_E>
!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<64x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @ashift() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-PTX-105]: tcgen05.mma.ws: attribute of an operation must be a_k, b_k, collector, collector_buffer, cta_group, idesc, kind, zero_column_mask; found ashift
  tcgen05.mma.ws %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x64>, ashift} : !d, !a, !b
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<64x128xf32, layout_E>
ptx.kernel @reused_shift(%d : i32, %slot : i32, %tile : i32, %n : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %n, %zero : i32
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  %t = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x128xf32> to !d
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: error[T5-IDESC-008]: tcgen05.mma.ws: column shift of a reused B must be at most 8, the maximum shift of the instruction descriptor; found 16
  tcgen05.mma.ws %t, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x128, max_shift 8>, collector_buffer = "b0", collector = "use", zero_column_mask = #tcgen05.zero_column_mask<column_shift 16>} : !d, !a, !b
  ptx.ret
}
