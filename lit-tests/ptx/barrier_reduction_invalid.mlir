// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @number(%p : i1) {
  %barrier = ptx.constant 16 : i32
  // CHECK: error[T5-PTX-060]: ptx.bar.red: number of a barrier must be 0, 1, ... 15; found 16
  %all = ptx.bar.red and %barrier, %p
  ptx.ret
}

// -----

ptx.kernel @threads(%p : i1) {
  %barrier = ptx.constant 1 : i32
  %threads = ptx.constant 33 : i32
  // CHECK: error[T5-PTX-061]: ptx.bar.red.popc: threads of a barrier must be
  %count = ptx.bar.red.popc %barrier threads(%threads), %p
  ptx.ret
}
