ptx.kernel @example(%slot : i32, %columns : i32, %barrier : i32) {
  tcgen05.alloc cta_group_2 %slot, %columns
  tcgen05.commit %barrier
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32, %columns : i32, %barrier : i32) {
  tcgen05.alloc cta_group_2 %slot, %columns
  tcgen05.commit cta_group_2 %barrier
  ptx.ret
}
