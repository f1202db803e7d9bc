// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: expected ld or st; found mma
ptx.kernel @text() {
  tcgen05.wait mma
  ptx.ret
}

// -----

ptx.kernel @generic() {
  // CHECK: error[T5-WAIT-001]: tcgen05.wait: wait must be ld or st; found mma
  "tcgen05.wait"() <{operation = "mma"}> : () -> ()
  ptx.ret
}
