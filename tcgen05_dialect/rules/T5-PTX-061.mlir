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
