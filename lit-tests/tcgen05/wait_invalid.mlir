// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: Expected one of 'ld', 'st'
ptx.kernel @text() {
  tcgen05.wait mma
  ptx.ret
}

// -----

ptx.kernel @generic() {
  // CHECK: wait: found mma; legal: ld, st [T5-WAIT-001] (PTX ISA 9.7.16.8.5)
  "tcgen05.wait"() <{operation = "mma"}> : () -> ()
  ptx.ret
}
