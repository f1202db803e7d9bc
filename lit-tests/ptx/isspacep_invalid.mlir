// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @ptx_080(%p : i32) {
  // CHECK: error[T5-PTX-080]: ptx.isspacep: a: type of an operand or a result must be i64; found i32
  %d = ptx.isspacep global %p
  ptx.ret
}
