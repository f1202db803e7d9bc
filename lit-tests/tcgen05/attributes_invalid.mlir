// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: expected f8f6f4, f16, i8, mxf4, mxf4nvf4, mxf8f6f4 or tf32; found f64
builtin.module attributes {d = #tcgen05.idesc<f64, f64 x f64 -> f64, 128x256>} {}

// -----

// CHECK: element type must be e2m1, e2m3, {{.*}}; found f64
builtin.module attributes {d = #tcgen05.idesc<f16, f64 x f16 -> f32, 128x256>} {}

// -----

// CHECK: error[T5-TYPE-001]: element type must be e2m1, e2m3, {{.*}}; found f8E4M3FN
// CHECK: help: did you mean e4m3?
builtin.module attributes {d = #tcgen05.idesc<f8f6f4, f8E4M3FN x e4m3 -> f32, 128x256>} {}

// -----

// CHECK: error[T5-TYPE-001]: element type must be e2m1, e2m3, {{.*}}; found i32
// CHECK: help: did you mean s32?
builtin.module attributes {d = #tcgen05.idesc<i8, s8 x s8 -> i32, 128x256>} {}

// -----

// CHECK: expected M x N
builtin.module attributes {d = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x256x16>} {}

// -----

// CHECK: expected k96, max_shift, negate_a, negate_b, saturate, scale_type, sfa_id, sfb_id, sparse, sparsity_selector, transpose_a or transpose_b; found transpose
// CHECK: help: did you mean transpose_b?
builtin.module attributes {d = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x256, transpose>} {}

// -----

// CHECK: expected column_shift, first_span, non_zero, skip_span, start_count or use_span; found span
builtin.module attributes {d = #tcgen05.zero_column_mask<span 1>} {}

// -----

// CHECK: expected 4 numbers
builtin.module attributes {d = #tcgen05.zero_column_mask<start_count [1, 2]>} {}
