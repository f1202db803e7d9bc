ptx.kernel @example(%slot : i32) {
  %columns = arith.constant 512 : i32
  tcgen05.alloc %slot, %columns {cta_group = 2 : i32}
  tcgen05.relinquish_alloc_permit {cta_group = 2 : i32}
  ptx.ret
}
