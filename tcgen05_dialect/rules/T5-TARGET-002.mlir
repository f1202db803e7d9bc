builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.0">} {
  ptx.kernel @example() {
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
  ptx.kernel @example() {
    ptx.ret
  }
}
