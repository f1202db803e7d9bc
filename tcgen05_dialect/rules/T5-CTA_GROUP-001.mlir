ptx.kernel @example(%slot : i32, %columns : i32) {
  tcgen05.alloc %slot, %columns {cta_group = 3 : i32}
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32, %columns : i32) {
  tcgen05.alloc cta_group_2 %slot, %columns
  ptx.ret
}
