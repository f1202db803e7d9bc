// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @add(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-001]: ptx.add: type s32 takes no rounding; found rn
  %d = ptx.add rn s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @add_flush(%d : f64) {
  // CHECK: error[T5-PTX-001]: ptx.add: type f64 takes no flush; found ftz
  %e = ptx.add rn ftz f64 %d, %d
  ptx.ret
}

// -----

ptx.kernel @sub(%b : bf16) {
  // CHECK: error[T5-PTX-002]: ptx.sub: type bf16 takes rounding none or rn; found rz
  %c = ptx.sub rz bf16 %b, %b
  ptx.ret
}

// -----

ptx.kernel @sub_flush(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-002]: ptx.sub: type u32 takes no flush; found ftz
  %d = ptx.sub ftz u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @mul_without_half(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-003]: ptx.mul: type u32 needs half hi or lo; found none
  %d = ptx.mul u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @mul_half_of_a_float(%f : f32, %g : f32) {
  // CHECK: error[T5-PTX-003]: ptx.mul: type f32 takes no half; found hi
  %d = ptx.mul hi f32 %f, %g
  ptx.ret
}

// -----

ptx.kernel @mul_rounding(%h : f16) {
  // CHECK: error[T5-PTX-003]: ptx.mul: type f16 takes rounding none or rn; found rp
  %d = ptx.mul rp f16 %h, %h
  ptx.ret
}

// -----

ptx.kernel @fma(%h : f16) {
  // CHECK: error[T5-PTX-004]: ptx.fma: type f16 needs rounding rn; found rm
  %d = ptx.fma rm f16 %h, %h, %h
  ptx.ret
}

// -----

ptx.kernel @fma_flush(%d : f64) {
  // CHECK: error[T5-PTX-004]: ptx.fma: type f64 takes no flush; found ftz
  %e = ptx.fma rn ftz f64 %d, %d, %d
  ptx.ret
}

// -----

ptx.kernel @fma_type(%f : f32, %g : f32) {
  // CHECK: error[T5-PTX-092]: ptx.fma: qualifier must be bf16, bf16x2, f16, f16x2, f32, f32x2 or f64; found s32
  %d = "ptx.fma"(%f, %f, %f) <{rounding = "rn", type = "s32"}> : (f32, f32, f32) -> f32
  ptx.ret
}

// -----

ptx.kernel @div_without_rounding(%f : f32, %g : f32) {
  // CHECK: error[T5-PTX-005]: ptx.div: type f32 needs rounding approx, full, rm, rn, rp or rz; found none
  %d = ptx.div f32 %f, %g
  ptx.ret
}

// -----

ptx.kernel @div_rounding(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-005]: ptx.div: type u32 takes no rounding; found rn
  %d = ptx.div rn u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @div_approx(%d : f64) {
  // CHECK: error[T5-PTX-005]: ptx.div: type f64 needs rounding rm, rn, rp or rz; found approx
  %e = ptx.div approx f64 %d, %d
  ptx.ret
}

// -----

ptx.kernel @min(%d : f64) {
  // CHECK: error[T5-PTX-006]: ptx.min: type f64 takes no nan; found NaN
  %e = ptx.min NaN f64 %d, %d
  ptx.ret
}

// -----

ptx.kernel @min_flush(%b : bf16) {
  // CHECK: error[T5-PTX-006]: ptx.min: type bf16 takes no flush; found ftz
  %c = ptx.min ftz bf16 %b, %b
  ptx.ret
}

// -----

ptx.kernel @max(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-007]: ptx.max: type s32 takes no nan; found NaN
  %d = ptx.max NaN s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @neg(%b : bf16) {
  // CHECK: error[T5-PTX-008]: ptx.neg: type bf16 takes no flush; found ftz
  %c = ptx.neg ftz bf16 %b
  ptx.ret
}

// -----

ptx.kernel @neg_unsigned(%x : i32, %y : i32) {
  // CHECK: expected bf16, bf16x2, f16, f16x2, f32, f64, s16, s32 or s64 as type
  %d = ptx.neg u32 %x
  ptx.ret
}

// -----

ptx.kernel @abs(%d : f64) {
  // CHECK: error[T5-PTX-009]: ptx.abs: type f64 takes no flush; found ftz
  %e = ptx.abs ftz f64 %d
  ptx.ret
}

// -----

ptx.kernel @ex2(%b : bf16) {
  // CHECK: error[T5-PTX-010]: ptx.ex2: type bf16 needs flush ftz; found none
  %c = ptx.ex2 bf16 %b
  ptx.ret
}

// -----

ptx.kernel @ex2_flush(%h : f16) {
  // CHECK: error[T5-PTX-010]: ptx.ex2: type f16 takes no flush; found ftz
  %d = ptx.ex2 ftz f16 %h
  ptx.ret
}

// -----

ptx.kernel @rcp(%d : f64) {
  // CHECK: error[T5-PTX-011]: ptx.rcp: type f64 with rounding approx needs flush ftz; found none
  %e = ptx.rcp approx f64 %d
  ptx.ret
}

// -----

ptx.kernel @rcp_flush(%d : f64) {
  // CHECK: error[T5-PTX-011]: ptx.rcp: type f64 with rounding rn takes no flush; found ftz
  %e = ptx.rcp rn ftz f64 %d
  ptx.ret
}

// -----

ptx.kernel @sqrt(%d : f64) {
  // CHECK: error[T5-PTX-012]: ptx.sqrt: type f64 needs rounding rm, rn, rp or rz; found approx
  %e = ptx.sqrt approx f64 %d
  ptx.ret
}

// -----

ptx.kernel @setp_bits(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-013]: ptx.setp: type b32 needs comparison eq or ne; found lt
  %p = ptx.setp lt b32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @setp_signed(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-013]: ptx.setp: type s32 needs comparison eq, ge, gt, le, lt or ne; found hs
  %p = ptx.setp hs s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @setp_unordered(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-013]: ptx.setp: type u32 needs comparison eq, ge, gt, hi, hs, le, lo, ls, lt or ne; found neu
  %p = ptx.setp neu u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @setp_flush(%d : f64) {
  // CHECK: error[T5-PTX-013]: ptx.setp: type f64 takes no flush; found ftz
  %p = ptx.setp eq ftz f64 %d, %d
  ptx.ret
}

// -----

ptx.kernel @mad_of_halves(%h : f16) {
  // CHECK: error[T5-PTX-172]: ptx.fma: spelling mad
  %sum = ptx.fma rn f16 %h, %h, %h {spelling = "mad"}
  ptx.ret
}

// -----

ptx.kernel @xorsign(%x : i32) {
  // CHECK: error[T5-PTX-006]: ptx.min: type s32
  %least = ptx.min xorsign s32 %x, %x
  ptx.ret
}
