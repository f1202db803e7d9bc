// T5-TARGET-033
// section: 9.7.9.12
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.1">} {
  ptx.kernel @example(%to : i32, %full : i32, %d : i64) {
    %w = ptx.pack b128 {%d, %d}
    ptx.st.async b128 [%to], {%w}, [%full]
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.2">} {
  ptx.kernel @example(%to : i32, %full : i32, %d : i64) {
    %w = ptx.pack b128 {%d, %d}
    ptx.st.async b128 [%to], {%w}, [%full]
    ptx.ret
  }
}
