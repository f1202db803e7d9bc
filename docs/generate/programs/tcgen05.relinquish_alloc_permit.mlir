ptx.kernel @example(%slot : i32) {
  %columns = arith.constant 512 : i32
  tcgen05.alloc cta_group_2 %slot, %columns
  tcgen05.relinquish_alloc_permit cta_group_2
  ptx.ret
}
