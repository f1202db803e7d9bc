// T5-TARGET-022
// section: 9.7.9.21
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.0">} {
  ptx.kernel @example(%a : i32, %p : i64) {
    %d = ptx.cvt.packed rn satfinite e2m1x2 f16x2 %a
    ptx.st global b8 [%p], {%d}
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.1">} {
  ptx.kernel @example(%a : i32, %p : i64) {
    %d = ptx.cvt.packed rn satfinite e2m1x2 f16x2 %a
    ptx.st global b8 [%p], {%d}
    ptx.ret
  }
}
