// T5-TARGET-002
// section: 9.7.16.7.1
// subject: PTX version
// statement: The PTX version exists, and supports the target.
// why: ptxas refuses the text.
// fix: use a PTX version that exists and supports the target

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
