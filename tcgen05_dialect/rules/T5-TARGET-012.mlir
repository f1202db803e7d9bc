// T5-TARGET-012
// section: 9.7.16.9.3
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

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
