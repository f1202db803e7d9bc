// T5-TARGET-021
// section: 9.7.9.21
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_110a", "9.0">} {
  ptx.kernel @example(%f : f32, %random : i32, %p : i64) {
    %d = ptx.cvt.stochastic_pair bf16x2 f32 %f, %f, %random
    ptx.st global b32 [%p], {%d}
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
  ptx.kernel @example(%f : f32, %random : i32, %p : i64) {
    %d = ptx.cvt.stochastic_pair bf16x2 f32 %f, %f, %random
    ptx.st global b32 [%p], {%d}
    ptx.ret
  }
}
