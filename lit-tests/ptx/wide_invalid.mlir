// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @factor(%a : i32) {
  // CHECK: error[T5-PTX-080]: ptx.mul.wide16: a: type of an operand or a result must be i16; found i32
  %d = ptx.mul.wide16 u16 %a, %a
  ptx.ret
}

// -----

ptx.kernel @summand(%a : i16) {
  // CHECK: error[T5-PTX-080]: ptx.mad.wide16: c: type of an operand or a result must be i32; found i16
  %d = ptx.mad.wide16 s16 %a, %a, %a
  ptx.ret
}
