// T5-PTX-061
// section: 9.7.13.1
// subject: threads of a barrier
// statement: The number of threads of a barrier is a multiple of the warp size.
// why: The barrier counts warps, not threads; the manual leaves other numbers undefined.
// fix: give a multiple of {warp_lanes} threads

ptx.kernel @example() {
  %barrier = ptx.constant 1 : i32
  %threads = ptx.constant 48 : i32
  ptx.bar.arrive %barrier, %threads
  ptx.ret
}

// -----

ptx.kernel @example() {
  %barrier = ptx.constant 1 : i32
  %threads = ptx.constant 64 : i32
  ptx.bar.arrive %barrier, %threads
  ptx.ret
}
