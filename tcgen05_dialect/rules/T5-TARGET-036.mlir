// T5-TARGET-036
// section: 9.7.9.26.1
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

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
