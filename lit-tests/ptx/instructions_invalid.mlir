// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @operand_type(%x : i32, %l : i64) {
  // CHECK: error[T5-PTX-080]: ptx.add: PTX operand b with .s32 must be i32; found i64
  %d = ptx.add s32 %x, %l
  ptx.ret
}

// -----

ptx.kernel @result_type(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-080]: ptx.add: PTX operand d with .s32 must be i32; found f32
  %d = ptx.add s32 %x, %y -> f32
  ptx.ret
}

// -----

ptx.kernel @float_as_integer(%f : f32, %g : f32) {
  // CHECK: error[T5-PTX-080]: ptx.add: PTX operand a with .s32 must be i32; found f32
  %d = ptx.add s32 %f, %g
  ptx.ret
}

// -----

ptx.kernel @integer_as_float(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-080]: ptx.add: PTX operand a with .f32 must be f32; found i32
  %d = ptx.add f32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @half_pair(%h : f16) {
  // CHECK: error[T5-PTX-080]: ptx.add: PTX operand a with .f16x2 must be i32; found f16
  %d = ptx.add f16x2 %h, %h
  ptx.ret
}

// -----

ptx.kernel @bits(%x : i32, %l : i64) {
  // CHECK: error[T5-PTX-080]: ptx.and: PTX operand b with .b32 must be i32 or f32; found i64
  %d = ptx.and b32 %x, %l
  ptx.ret
}

// -----

ptx.kernel @amount(%l : i64) {
  // CHECK: error[T5-PTX-080]: ptx.shl: amount: type of an operand or a result must be i32; found i64
  %d = ptx.shl b64 %l, %l
  ptx.ret
}

// -----

ptx.kernel @wide_factor(%x : i32, %l : i64) {
  // CHECK: error[T5-PTX-080]: ptx.mul.wide: b: type of an operand or a result must be i32; found i64
  %d = ptx.mul.wide u32 %x, %l
  ptx.ret
}

// -----

ptx.kernel @wide_summand(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-080]: ptx.mad.wide: c: type of an operand or a result must be i64; found i32
  %d = ptx.mad.wide s32 %x, %x, %y
  ptx.ret
}

// -----

ptx.kernel @condition(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-080]: ptx.selp: condition: type of an operand or a result must be i1; found i32
  %d = ptx.selp b32 %x, %y, %x
  ptx.ret
}

// -----

ptx.kernel @comparison_result(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-080]: ptx.setp: d: type of an operand or a result must be i1; found i32
  %p = ptx.setp eq b32 %x, %y -> i32
  ptx.ret
}

// -----

ptx.kernel @register(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-080]: ptx.not: d: type of an operand or a result must be i1, i16, f16, bf16, i32, f32, i64 or f64; found i8
  %d = "ptx.not"(%x) <{type = "b32"}> : (i32) -> i8
  ptx.ret
}

// -----

ptx.kernel @no_type(%x : i32, %y : i32) {
  // CHECK: expected bf16, bf16x2, f16, f16x2, f32, f32x2, f64, s16, s32, s64, u16, u32 or u64 as type
  %d = ptx.add %x, %y
  ptx.ret
}

// -----

ptx.kernel @other_type(%x : i32, %y : i32) {
  // CHECK: expected s32 or u32 as type
  %d = ptx.mul.wide u16 %x, %y
  ptx.ret
}

// -----

ptx.kernel @no_rounding(%f : f32, %g : f32) {
  // CHECK: expected rm, rn, rp or rz as rounding
  %d = ptx.fma f32 %f, %g, %f
  ptx.ret
}

// -----

ptx.kernel @order_of_qualifiers(%f : f32, %g : f32) {
  // CHECK: expected bf16, bf16x2, f16, f16x2, f32, f32x2, f64, s16, s32, s64, u16, u32 or u64 as type
  %d = ptx.add ftz rn f32 %f, %g
  ptx.ret
}

// -----

ptx.kernel @no_comparison(%x : i32, %y : i32) {
  // CHECK: expected eq, equ, ge, geu, gt, gtu, hi, hs, le, leu, lo, ls, lt, ltu, nan, ne, neu or num as comparison
  %d = ptx.setp s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @unknown_qualifier(%x : i32, %y : i32) {
  // CHECK: expected bf16, bf16x2, f16, f16x2, f32, f32x2, f64, s16, s32, s64, u16, u32 or u64 as type
  %d = ptx.add "fast" s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @qualifier_behind_the_last(%x : i32, %y : i32) {
  // CHECK: expected an operand; found "sat"
  %d = ptx.add s32 "sat" %x, %y
  ptx.ret
}

// -----

ptx.kernel @generic_type(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-092]: ptx.rem: qualifier must be s16, s32, s64, u16, u32 or u64; found f32
  %d = "ptx.rem"(%x, %y) <{type = "f32"}> : (i32, i32) -> i32
  ptx.ret
}

// -----

ptx.kernel @generic_without_type(%x : i32, %y : i32) {
  // CHECK: error: ptx.rem: property 'type' expected in operation 'ptx.rem'
  %d = "ptx.rem"(%x, %y) : (i32, i32) -> i32
  ptx.ret
}

// -----

ptx.kernel @generic_operands(%x : i32, %y : i32) {
  // CHECK: error: ptx.rem: Expected 2 operands, but got 1
  %d = "ptx.rem"(%x) <{type = "u32"}> : (i32) -> i32
  ptx.ret
}

// -----

ptx.kernel @no_braces(%x : i32, %y : i32) {
  // CHECK: expected '{'; found %x
  %d = ptx.pack b64 %x, %y
  ptx.ret
}

// -----

ptx.kernel @two_results(%x : i32, %y : i32) {
  // CHECK: ptx.add has 2 results, but 1 name is given before =
  %d = ptx.add s32 %x, %y -> 2 x i32
  ptx.ret
}

// -----

ptx.kernel @named_results(%x : i32, %y : i32) {
  // CHECK: ptx.add has 1 result, but 2 names are given before =
  %d, %e = ptx.add s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @number_for_a_value() {
  // CHECK: expected an operand; found 0
  // CHECK: help: write a value such as %x; arith.constant makes one of 0
  ptx.bar.sync 0
  ptx.ret
}
