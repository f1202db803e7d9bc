// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @element() {
  // CHECK: element type must be f16, bf16, {{.*}}; found f64
  %d = "test.op"() : () -> !tcgen05.tmem<128x64xf64>
  ptx.ret
}

// -----

ptx.kernel @element_of_the_manual() {
  // CHECK: error[T5-TYPE-001]: element type must be f16, bf16, {{.*}}; found e4m3
  // CHECK: help: did you mean f8E4M3FN?
  %d = "test.op"() : () -> !tcgen05.tmem<128x64xe4m3>
  ptx.ret
}

// -----

ptx.kernel @no_element() {
  // CHECK: expected an element type
  %d = "test.op"() : () -> !tcgen05.tmem<128x64x>
  ptx.ret
}

// -----

ptx.kernel @extents() {
  // CHECK: expected rows x columns x element type
  %d = "test.op"() : () -> !tcgen05.tmem<128x64x2xf32>
  ptx.ret
}

// -----

ptx.kernel @no_rows() {
  // CHECK: expected rows x columns x element type
  %d = "test.op"() : () -> !tcgen05.tmem<0x64xf32>
  ptx.ret
}

// -----

ptx.kernel @role() {
  // CHECK: expected a, accumulator, layout_A, layout_B, layout_C, layout_D, layout_E, layout_F, layout_G, metadata, packed, padded or scale; found b
  %d = "test.op"() : () -> !tcgen05.tmem<128x64xf32, b>
  ptx.ret
}

// -----

ptx.kernel @swizzle() {
  // CHECK: expected no_swizzle, swizzle_32b, swizzle_64b, swizzle_128b or swizzle_128b_atom_32b; found swizzle_256b
  %d = "test.op"() : () -> !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_256b>
  ptx.ret
}

// -----

ptx.kernel @major() {
  // CHECK: expected k_major or mn_major; found m_major
  %d = "test.op"() : () -> !tcgen05.smem_descriptor<128x64xbf16, m_major, swizzle_128b>
  ptx.ret
}

// -----

// CHECK: elements of role scale must be f8E8M0FNU or f8E4M3FN; found f32
ptx.kernel @scale_factors(%t : !tcgen05.tmem<128x4xf32, scale>) {
  ptx.ret
}

// -----

// CHECK: elements of role metadata must be i4; found f16
ptx.kernel @metadata(%t : !tcgen05.tmem<128x8xf16, metadata>) {
  ptx.ret
}

// -----

// CHECK: elements of role accumulator must be f16, bf16, tf32, f32, i32, {{.*}}; found i4
ptx.kernel @indices(%t : !tcgen05.tmem<128x8xi4>) {
  ptx.ret
}

// -----

// CHECK: element type must be f16, bf16, tf32, f32, i32, {{.*}}; found i4
ptx.kernel @indices_in_shared_memory(%t : !tcgen05.smem_descriptor<128x8xi4, k_major, no_swizzle>) {
  ptx.ret
}

// -----

// CHECK: unknown type tcgen05.tmm
// CHECK: help: did you mean tcgen05.tmem?
ptx.kernel @misspelt_type(%d : !tcgen05.tmm<128x64xf32>) {
  ptx.ret
}
