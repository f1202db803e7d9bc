// T5-TARGET-035
// section: 9.7.9.26.1
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

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
