// T5-TARGET-015
// section: 9.7.3.11, 9.7.3.12
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
  ptx.kernel @example(%a : f32, %out : i64) {
    %d = ptx.max3 f32 %a, %a, %a
    ptx.st global f32 [%out], {%d}
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%a : f32, %out : i64) {
    %d = ptx.max3 f32 %a, %a, %a
    ptx.st global f32 [%out], {%d}
    ptx.ret
  }
}
