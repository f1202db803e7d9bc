builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%p : i64) {
    ptx.tensormap.replace.mode swizzle_mode global [%p], 4
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @example(%p : i64) {
    ptx.tensormap.replace.mode swizzle_mode global [%p], 4
    ptx.ret
  }
}
