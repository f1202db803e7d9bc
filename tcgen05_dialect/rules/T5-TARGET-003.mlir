// T5-TARGET-003
// section: 9.7.16.7.1
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

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
