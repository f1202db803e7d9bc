// RUN: not tcgen05 check %s | filecheck %s

// CHECK: extra_brace.mlir:9:1: error: expected an operation; found '}'
// CHECK: help: remove this } or an earlier one: every { before it is already closed

ptx.kernel @k() {
  ptx.ret
}
}
