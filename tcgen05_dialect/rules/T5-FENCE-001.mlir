// T5-FENCE-001
// section: 9.7.16.11.1
// subject: order of fence
// statement: A tcgen05 fence is either before or after a synchronisation of threads.
// why: The instruction has no other form.
// fix: use before_thread_sync or after_thread_sync

ptx.kernel @example() {
  "tcgen05.fence"() <{order = "now"}> : () -> ()
  ptx.ret
}

// -----

ptx.kernel @example() {
  "tcgen05.fence"() <{order = "after_thread_sync"}> : () -> ()
  ptx.ret
}
