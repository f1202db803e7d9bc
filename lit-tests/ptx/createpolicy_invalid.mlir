// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @fraction(%f : f64) {
  // CHECK: error[T5-PTX-080]: ptx.createpolicy.fractional: fraction: type of an operand or a result must be f32 or i32; found f64
  %d = ptx.createpolicy.fractional "L2::evict_last" fraction(%f)
  ptx.ret
}

// -----

ptx.kernel @priority() {
  // CHECK: expected L2::evict_first, L2::evict_last, L2::evict_normal or L2::evict_unchanged as primary; found "L1::evict_last"
  %d = ptx.createpolicy.fractional "L1::evict_last"
  ptx.ret
}

// -----

ptx.kernel @second(%a : i64, %n : i32) {
  // CHECK: expected L2::evict_first, L2::evict_last, L2::evict_normal or L2::evict_unchanged as a qualifier; found "L2::evict_last"
  %d = ptx.createpolicy.range "L2::evict_last" "L2::evict_last" [%a], %n, %n
  ptx.ret
}
