ptx.kernel @example(%slot : i32, %columns : i32, %barrier : i32) {
  tcgen05.alloc %slot, %columns {cta_group = 2 : i32}
  tcgen05.commit %barrier
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32, %columns : i32, %barrier : i32) {
  tcgen05.alloc %slot, %columns {cta_group = 2 : i32}
  tcgen05.commit %barrier {cta_group = 2 : i32}
  ptx.ret
}
