// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @sad(%x : i64) {
  // CHECK: error[T5-PTX-080]: ptx.sad: PTX operand a with .s32 must be i32; found i64
  %a = ptx.sad s32 %x, %x, %x
  ptx.ret
}

// -----

ptx.kernel @packed(%n : i16) {
  // CHECK: error[T5-PTX-080]: ptx.add.packed: PTX operand a with .u16x2 must be i32; found i16
  %a = ptx.add.packed u16x2 %n, %n
  ptx.ret
}
