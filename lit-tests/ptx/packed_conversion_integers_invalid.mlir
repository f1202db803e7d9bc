// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @wide(%x : i64) {
  // CHECK: error[T5-PTX-080]: ptx.cvt.pack_integers: high: type of an operand or a result must be i32; found i64
  %d = ptx.cvt.pack_integers u16 s32 %x, %x
  ptx.ret
}
