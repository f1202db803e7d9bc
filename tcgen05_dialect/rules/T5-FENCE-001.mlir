ptx.kernel @example() {
  "tcgen05.fence"() <{order = "now"}> : () -> ()
  ptx.ret
}

// -----

ptx.kernel @example() {
  "tcgen05.fence"() <{order = "after_thread_sync"}> : () -> ()
  ptx.ret
}
