// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @mapa(%x : i64, %rank : i32) {
  // CHECK: error[T5-PTX-080]: ptx.mapa: PTX operand address with .u32 must be i32; found i64
  %d = ptx.mapa %x, %rank -> i64
  ptx.ret
}

// -----

ptx.kernel @getctarank(%x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.getctarank: PTX operand address with .u64 must be i64; found i32
  %d = ptx.getctarank %x {spelling = "u64"}
  ptx.ret
}
