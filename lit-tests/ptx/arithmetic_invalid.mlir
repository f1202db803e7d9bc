// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @add(%x : i32, %y : i32) {
  // CHECK: error: ptx.add: {{.*}}found rn; legal: none [T5-PTX-001] (PTX ISA 9.7.1.1, 9.7.3.3, 9.7.4.1)
  %d = ptx.add rn s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @add_flush(%d : f64) {
  // CHECK: error: ptx.add: {{.*}}found ftz; legal: none [T5-PTX-001] (PTX ISA 9.7.1.1, 9.7.3.3, 9.7.4.1)
  %e = ptx.add rn ftz f64 %d, %d
  ptx.ret
}

// -----

ptx.kernel @sub(%b : bf16) {
  // CHECK: error: ptx.sub: {{.*}}found rz; legal: none, rn [T5-PTX-002] (PTX ISA 9.7.1.2, 9.7.3.4, 9.7.4.2)
  %c = ptx.sub rz bf16 %b, %b
  ptx.ret
}

// -----

ptx.kernel @sub_flush(%x : i32, %y : i32) {
  // CHECK: error: ptx.sub: {{.*}}found ftz; legal: none [T5-PTX-002] (PTX ISA 9.7.1.2, 9.7.3.4, 9.7.4.2)
  %d = ptx.sub ftz u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @mul_without_half(%x : i32, %y : i32) {
  // CHECK: error: ptx.mul: {{.*}}found none; legal: hi, lo [T5-PTX-003] (PTX ISA 9.7.1.3, 9.7.3.5, 9.7.4.3)
  %d = ptx.mul u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @mul_half_of_a_float(%f : f32, %g : f32) {
  // CHECK: error: ptx.mul: {{.*}}found hi; legal: none [T5-PTX-003] (PTX ISA 9.7.1.3, 9.7.3.5, 9.7.4.3)
  %d = ptx.mul hi f32 %f, %g
  ptx.ret
}

// -----

ptx.kernel @mul_rounding(%h : f16) {
  // CHECK: error: ptx.mul: {{.*}}found rp; legal: none, rn [T5-PTX-003] (PTX ISA 9.7.1.3, 9.7.3.5, 9.7.4.3)
  %d = ptx.mul rp f16 %h, %h
  ptx.ret
}

// -----

ptx.kernel @fma(%h : f16) {
  // CHECK: error: ptx.fma: {{.*}}found rm; legal: rn [T5-PTX-004] (PTX ISA 9.7.3.6, 9.7.4.4)
  %d = ptx.fma rm f16 %h, %h, %h
  ptx.ret
}

// -----

ptx.kernel @fma_flush(%d : f64) {
  // CHECK: error: ptx.fma: {{.*}}found ftz; legal: none [T5-PTX-004] (PTX ISA 9.7.3.6, 9.7.4.4)
  %e = ptx.fma rn ftz f64 %d, %d, %d
  ptx.ret
}

// -----

ptx.kernel @fma_type(%f : f32, %g : f32) {
  // CHECK: error: ptx.fma: qualifier: found s32; legal: bf16, bf16x2, f16, f16x2, f32, f32x2, f64 [T5-PTX-092]
  %d = "ptx.fma"(%f, %f, %f) <{rounding = "rn", type = "s32"}> : (f32, f32, f32) -> f32
  ptx.ret
}

// -----

ptx.kernel @div_without_rounding(%f : f32, %g : f32) {
  // CHECK: error: ptx.div: {{.*}}found none; legal: approx, full, rm, rn, rp, rz [T5-PTX-005] (PTX ISA 9.7.1.8, 9.7.3.8)
  %d = ptx.div f32 %f, %g
  ptx.ret
}

// -----

ptx.kernel @div_rounding(%x : i32, %y : i32) {
  // CHECK: error: ptx.div: {{.*}}found rn; legal: none [T5-PTX-005] (PTX ISA 9.7.1.8, 9.7.3.8)
  %d = ptx.div rn u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @div_approx(%d : f64) {
  // CHECK: error: ptx.div: {{.*}}found approx; legal: rm, rn, rp, rz [T5-PTX-005] (PTX ISA 9.7.1.8, 9.7.3.8)
  %e = ptx.div approx f64 %d, %d
  ptx.ret
}

// -----

ptx.kernel @min(%d : f64) {
  // CHECK: error: ptx.min: {{.*}}found NaN; legal: none [T5-PTX-006] (PTX ISA 9.7.1.12, 9.7.3.11, 9.7.4.7)
  %e = ptx.min NaN f64 %d, %d
  ptx.ret
}

// -----

ptx.kernel @min_flush(%b : bf16) {
  // CHECK: error: ptx.min: {{.*}}found ftz; legal: none [T5-PTX-006] (PTX ISA 9.7.1.12, 9.7.3.11, 9.7.4.7)
  %c = ptx.min ftz bf16 %b, %b
  ptx.ret
}

// -----

ptx.kernel @max(%x : i32, %y : i32) {
  // CHECK: error: ptx.max: {{.*}}found NaN; legal: none [T5-PTX-007] (PTX ISA 9.7.1.13, 9.7.3.12, 9.7.4.8)
  %d = ptx.max NaN s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @neg(%b : bf16) {
  // CHECK: error: ptx.neg: {{.*}}found ftz; legal: none [T5-PTX-008] (PTX ISA 9.7.1.11, 9.7.3.10, 9.7.4.5)
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
  // CHECK: error: ptx.abs: {{.*}}found ftz; legal: none [T5-PTX-009] (PTX ISA 9.7.1.10, 9.7.3.9, 9.7.4.6)
  %e = ptx.abs ftz f64 %d
  ptx.ret
}

// -----

ptx.kernel @ex2(%b : bf16) {
  // CHECK: error: ptx.ex2: {{.*}}found none; legal: ftz [T5-PTX-010] (PTX ISA 9.7.3.21, 9.7.4.10)
  %c = ptx.ex2 bf16 %b
  ptx.ret
}

// -----

ptx.kernel @ex2_flush(%h : f16) {
  // CHECK: error: ptx.ex2: {{.*}}found ftz; legal: none [T5-PTX-010] (PTX ISA 9.7.3.21, 9.7.4.10)
  %d = ptx.ex2 ftz f16 %h
  ptx.ret
}

// -----

ptx.kernel @rcp(%d : f64) {
  // CHECK: error: ptx.rcp: {{.*}}found none; legal: ftz [T5-PTX-011] (PTX ISA 9.7.3.13, 9.7.3.14)
  %e = ptx.rcp approx f64 %d
  ptx.ret
}

// -----

ptx.kernel @rcp_flush(%d : f64) {
  // CHECK: error: ptx.rcp: {{.*}}found ftz; legal: none [T5-PTX-011] (PTX ISA 9.7.3.13, 9.7.3.14)
  %e = ptx.rcp rn ftz f64 %d
  ptx.ret
}

// -----

ptx.kernel @sqrt(%d : f64) {
  // CHECK: error: ptx.sqrt: {{.*}}found approx; legal: rm, rn, rp, rz [T5-PTX-012] (PTX ISA 9.7.3.15)
  %e = ptx.sqrt approx f64 %d
  ptx.ret
}

// -----

ptx.kernel @setp_bits(%x : i32, %y : i32) {
  // CHECK: error: ptx.setp: {{.*}}found lt; legal: eq, ne [T5-PTX-013] (PTX ISA 9.7.6.2, 9.7.7.2)
  %p = ptx.setp lt b32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @setp_signed(%x : i32, %y : i32) {
  // CHECK: error: ptx.setp: {{.*}}found hs; legal: eq, ge, gt, le, lt, ne [T5-PTX-013] (PTX ISA 9.7.6.2, 9.7.7.2)
  %p = ptx.setp hs s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @setp_unordered(%x : i32, %y : i32) {
  // CHECK: error: ptx.setp: {{.*}}found neu; legal: eq, ge, gt, hi, hs, le, lo, ls, lt, ne [T5-PTX-013] (PTX ISA 9.7.6.2, 9.7.7.2)
  %p = ptx.setp neu u32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @setp_flush(%d : f64) {
  // CHECK: error: ptx.setp: {{.*}}found ftz; legal: none [T5-PTX-013] (PTX ISA 9.7.6.2, 9.7.7.2)
  %p = ptx.setp eq ftz f64 %d, %d
  ptx.ret
}
