// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

ptx.kernel @fence() {
  // CHECK: tcgen05.fence before_thread_sync
  // GENERIC: "tcgen05.fence"() <{order = "before_thread_sync"}> : () -> ()
  // PTX: tcgen05.fence::before_thread_sync;
  tcgen05.fence before_thread_sync
  // CHECK: tcgen05.fence after_thread_sync
  // GENERIC: "tcgen05.fence"() <{order = "after_thread_sync"}> : () -> ()
  // PTX: tcgen05.fence::after_thread_sync;
  tcgen05.fence after_thread_sync
  ptx.ret
}
