// T5-TARGET-014
// section: 9.7.9.8
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
  ptx.kernel @example(%p : i64) {
    %v:8 = ptx.ld global b32 [%p] -> 8 x i32
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%p : i64) {
    %v:8 = ptx.ld global b32 [%p] -> 8 x i32
    ptx.ret
  }
}
