// RUN: tcgen05-opt %s | tcgen05-opt - | filecheck %s

// CHECK: plain = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>
// CHECK-SAME: flags = #tcgen05.idesc<tf32, tf32 x tf32 -> f32, 64x8, transpose_a, transpose_b, negate_a, negate_b>
// CHECK-SAME: integers = #tcgen05.idesc<i8, s8 x u8 -> s32, 128x16, saturate>
// CHECK-SAME: sparse = #tcgen05.idesc<f16, f16 x f16 -> f16, 128x256, sparse, sparsity_selector 3, max_shift 16>
// CHECK-SAME: scaled = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 256x64, scale_type ue8m0, sfa_id 2, k96>
// CHECK-SAME: no_columns = #tcgen05.zero_column_mask<>
// CHECK-SAME: columns = #tcgen05.zero_column_mask<start_count [1, 2, 3, 4], first_span [1, 0, 0, 1], non_zero, skip_span 2, use_span 3, column_shift 4>
builtin.module attributes {
  plain = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>,
  flags = #tcgen05.idesc<tf32, tf32 x tf32 -> f32, 64x8, negate_b, transpose_a, negate_a, transpose_b>,
  integers = #tcgen05.idesc<i8, s8 x u8 -> s32, 128x16, saturate>,
  sparse = #tcgen05.idesc<f16, f16 x f16 -> f16, 128x256, sparse, sparsity_selector 3, max_shift 16>,
  scaled = #tcgen05.idesc<mxf4, e2m1 x e2m1 -> f32, 256x64, scale_type ue8m0, sfa_id 2, sfb_id 0, k96>,
  no_columns = #tcgen05.zero_column_mask<>,
  columns = #tcgen05.zero_column_mask<non_zero, start_count [1, 2, 3, 4], first_span [1, 0, 0, 1], skip_span 2, use_span 3, column_shift 4>
} {}
