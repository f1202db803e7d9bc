// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @ptx_083() {
  %odd = ptx.constant 64 : i64
  // CHECK: error[T5-PTX-083]: ptx.discard: accessed address must be aligned to 128 bytes; found 64
  ptx.discard global [%odd]
  ptx.ret
}

// -----

ptx.kernel @ptx_080(%p : i32) {
  // CHECK: error[T5-PTX-080]: ptx.prefetchu: address: type of an operand or a result must be i64; found i32
  ptx.prefetchu [%p]
  ptx.ret
}

// -----

ptx.kernel @ptx_080_2(%p : i32) {
  // CHECK: error[T5-PTX-080]: ptx.applypriority: address: type of an operand or a result must be i64; found i32
  ptx.applypriority [%p]
  ptx.ret
}
