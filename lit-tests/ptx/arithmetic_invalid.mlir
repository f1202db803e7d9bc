// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @add(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-001]: ptx.add: add, rounding with type s32: found rn; legal: none
  %d = ptx.add rn s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @add_flush(%d : f64) {
  // CHECK: error[T5-PTX-001]: ptx.add: add, flush with type f64, rounding rn: found ftz; legal: none
  %e = ptx.add rn ftz f64 %d, %d
  ptx.ret
}

// -----

ptx.kernel @sub(%b : bf16) {
  // CHECK: error[T5-PTX-002]: ptx.sub: sub, rounding with type bf16: found rz; legal: none, rn
  %c = ptx.sub rz bf16 %b, %b
  ptx.ret
}

// -----

ptx.kernel @sub_flush(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-002]: ptx.sub: sub, flush with type u32: found ftz; legal: none
  %d = ptx.sub ftz u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @mul_without_half(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-003]: ptx.mul: mul, half with type u32: found none; legal: hi, lo
  %d = ptx.mul u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @mul_half_of_a_float(%f : f32, %g : f32) {
  // CHECK: error[T5-PTX-003]: ptx.mul: mul, half with type f32: found hi; legal: none
  %d = ptx.mul hi f32 %f, %g
  ptx.ret
}

// -----

ptx.kernel @mul_rounding(%h : f16) {
  // CHECK: error[T5-PTX-003]: ptx.mul: mul, rounding with type f16: found rp; legal: none, rn
  %d = ptx.mul rp f16 %h, %h
  ptx.ret
}

// -----

ptx.kernel @fma(%h : f16) {
  // CHECK: error[T5-PTX-004]: ptx.fma: fma, rounding with type f16: found rm; legal: rn
  %d = ptx.fma rm f16 %h, %h, %h
  ptx.ret
}

// -----

ptx.kernel @fma_flush(%d : f64) {
  // CHECK: error[T5-PTX-004]: ptx.fma: fma, flush with type f64, rounding rn: found ftz; legal: none
  %e = ptx.fma rn ftz f64 %d, %d, %d
  ptx.ret
}

// -----

ptx.kernel @fma_type(%f : f32, %g : f32) {
  // CHECK: error[T5-PTX-092]: ptx.fma: qualifier: found s32; legal: bf16, bf16x2, f16, f16x2, f32, f32x2, f64
  %d = "ptx.fma"(%f, %f, %f) <{rounding = "rn", type = "s32"}> : (f32, f32, f32) -> f32
  ptx.ret
}

// -----

ptx.kernel @div_without_rounding(%f : f32, %g : f32) {
  // CHECK: error[T5-PTX-005]: ptx.div: div, rounding with type f32: found none; legal: approx, full, rm, rn, rp, rz
  %d = ptx.div f32 %f, %g
  ptx.ret
}

// -----

ptx.kernel @div_rounding(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-005]: ptx.div: div, rounding with type u32: found rn; legal: none
  %d = ptx.div rn u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @div_approx(%d : f64) {
  // CHECK: error[T5-PTX-005]: ptx.div: div, rounding with type f64: found approx; legal: rm, rn, rp, rz
  %e = ptx.div approx f64 %d, %d
  ptx.ret
}

// -----

ptx.kernel @min(%d : f64) {
  // CHECK: error[T5-PTX-006]: ptx.min: min, nan with type f64: found NaN; legal: none
  %e = ptx.min NaN f64 %d, %d
  ptx.ret
}

// -----

ptx.kernel @min_flush(%b : bf16) {
  // CHECK: error[T5-PTX-006]: ptx.min: min, flush with type bf16: found ftz; legal: none
  %c = ptx.min ftz bf16 %b, %b
  ptx.ret
}

// -----

ptx.kernel @max(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-007]: ptx.max: max, nan with type s32: found NaN; legal: none
  %d = ptx.max NaN s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @neg(%b : bf16) {
  // CHECK: error[T5-PTX-008]: ptx.neg: neg, flush with type bf16: found ftz; legal: none
  %c = ptx.neg ftz bf16 %b
  ptx.ret
}

// -----

ptx.kernel @neg_unsigned(%x : i32, %y : i32) {
  // CHECK: expected type, one of: bf16, bf16x2, f16, f16x2, f32, f64, s16, s32, s64
  %d = ptx.neg u32 %x
  ptx.ret
}

// -----

ptx.kernel @abs(%d : f64) {
  // CHECK: error[T5-PTX-009]: ptx.abs: abs, flush with type f64: found ftz; legal: none
  %e = ptx.abs ftz f64 %d
  ptx.ret
}

// -----

ptx.kernel @ex2(%b : bf16) {
  // CHECK: error[T5-PTX-010]: ptx.ex2: ex2.approx, flush with type bf16: found none; legal: ftz
  %c = ptx.ex2 bf16 %b
  ptx.ret
}

// -----

ptx.kernel @ex2_flush(%h : f16) {
  // CHECK: error[T5-PTX-010]: ptx.ex2: ex2.approx, flush with type f16: found ftz; legal: none
  %d = ptx.ex2 ftz f16 %h
  ptx.ret
}

// -----

ptx.kernel @rcp(%d : f64) {
  // CHECK: error[T5-PTX-011]: ptx.rcp: rcp, flush with type f64, rounding approx: found none; legal: ftz
  %e = ptx.rcp approx f64 %d
  ptx.ret
}

// -----

ptx.kernel @rcp_flush(%d : f64) {
  // CHECK: error[T5-PTX-011]: ptx.rcp: rcp, flush with type f64, rounding rn: found ftz; legal: none
  %e = ptx.rcp rn ftz f64 %d
  ptx.ret
}

// -----

ptx.kernel @sqrt(%d : f64) {
  // CHECK: error[T5-PTX-012]: ptx.sqrt: sqrt, rounding with type f64: found approx; legal: rm, rn, rp, rz
  %e = ptx.sqrt approx f64 %d
  ptx.ret
}

// -----

ptx.kernel @setp_bits(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-013]: ptx.setp: setp, comparison with type b32: found lt; legal: eq, ne
  %p = ptx.setp lt b32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @setp_signed(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-013]: ptx.setp: setp, comparison with type s32: found hs; legal: eq, ge, gt, le, lt, ne
  %p = ptx.setp hs s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @setp_unordered(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-013]: ptx.setp: setp, comparison with type u32: found neu; legal: eq, ge, gt, hi, hs, le, lo, ls, lt, ne
  %p = ptx.setp neu u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @setp_flush(%d : f64) {
  // CHECK: error[T5-PTX-013]: ptx.setp: setp, flush with type f64, comparison eq: found ftz; legal: none
  %p = ptx.setp eq ftz f64 %d, %d
  ptx.ret
}
