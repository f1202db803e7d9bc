builtin.module attributes {ptx.target = #ptx.target<"sm_100f", "8.8">} {
  ptx.kernel @example(%d : i32) {
    ptx.tcgen05.shift cta_group_1 [%d]
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%d : i32) {
    ptx.tcgen05.shift cta_group_1 [%d]
    ptx.ret
  }
}
