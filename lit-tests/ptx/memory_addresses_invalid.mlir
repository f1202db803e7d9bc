// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @mapa(%s : i32, %rank : i32) {
  // CHECK: error[T5-PTX-080]: ptx.mapa.generic: address: type of an operand or a result must be i64; found i32
  %peer = ptx.mapa.generic %s, %rank
  ptx.ret
}

// -----

ptx.kernel @prefetch(%s : i32) {
  // CHECK: error[T5-PTX-080]: ptx.prefetch: address: type of an operand or a result must be i64; found i32
  ptx.prefetch global L1 [%s]
  ptx.ret
}
