// T5-TARGET-023
// section: 9.7.9.21
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.1">} {
  ptx.kernel @example(%a : i16, %p : i64) {
    %d = ptx.cvt.packed rn bf16x2 e4m3x2 %a
    ptx.st global b32 [%p], {%d}
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.2">} {
  ptx.kernel @example(%a : i16, %p : i64) {
    %d = ptx.cvt.packed rn bf16x2 e4m3x2 %a
    ptx.st global b32 [%p], {%d}
    ptx.ret
  }
}
