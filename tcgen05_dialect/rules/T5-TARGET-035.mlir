builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
  ptx.kernel @example(%p : i64, %x : i32) {
    ptx.tensormap.replace.mode elemtype global [%p], 13
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
  ptx.kernel @example(%p : i64, %x : i32) {
    ptx.tensormap.replace.mode elemtype global [%p], 13
    ptx.ret
  }
}
