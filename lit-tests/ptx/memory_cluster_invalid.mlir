// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @mapa(%x : i64, %rank : i32) {
  // CHECK: error[T5-PTX-080]: ptx.mapa: address: type of an operand or a result must be i32; found i64
  %d = ptx.mapa %x, %rank -> i64
  ptx.ret
}

// -----

ptx.kernel @getctarank(%x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.getctarank: address: type of an operand or a result must be i64; found i32
  %d = ptx.getctarank %x {spelling = "u64"}
  ptx.ret
}
