// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @scope() {
  // CHECK: expected cta, gpu or sys as scope
  ptx.membar cluster
  ptx.ret
}

// -----

ptx.kernel @semantics(%map : i64) {
  // CHECK: expected acq_rel or acquire as semantics
  ptx.fence.proxy.tensormap.acquire release gpu [%map]
  ptx.ret
}

// -----

ptx.kernel @address(%map : i32) {
  // CHECK: error[T5-PTX-080]: ptx.fence.proxy.tensormap.acquire: address: type of an operand or a result must be i64; found i32
  ptx.fence.proxy.tensormap.acquire acquire gpu [%map]
  ptx.ret
}
