ptx.kernel @example(%slot : i32) {
  %columns = arith.constant 96 : i32
  tcgen05.alloc %slot, %columns
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %columns = arith.constant 128 : i32
  tcgen05.alloc %slot, %columns
  ptx.ret
}
