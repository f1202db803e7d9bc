ptx.kernel @example() {
  %zero = arith.constant 0 : i32
  tcgen05.fence before_thread_sync
  ptx.bar.sync %zero
  tcgen05.fence after_thread_sync
  ptx.ret
}
