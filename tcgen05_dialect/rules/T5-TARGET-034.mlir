// T5-TARGET-034
// section: 9.7.9.12, 9.7.13.7
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
  ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
    ptx.st.async.global release gpu global b32 [%g], %x
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
  ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
    ptx.st.async.global release gpu global b32 [%g], %x
    ptx.ret
  }
}
