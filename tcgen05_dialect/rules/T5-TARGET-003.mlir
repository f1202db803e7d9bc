builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.7">} {
  ptx.kernel @example() {
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @example() {
    ptx.ret
  }
}
