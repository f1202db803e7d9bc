// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @text() {
  // CHECK: expected after_thread_sync or before_thread_sync; found during_thread_sync
  tcgen05.fence during_thread_sync
  ptx.ret
}

// -----

ptx.kernel @generic() {
  // CHECK: error[T5-FENCE-001]: tcgen05.fence: fence must be after_thread_sync or before_thread_sync; found now
  "tcgen05.fence"() <{order = "now"}> : () -> ()
  ptx.ret
}
