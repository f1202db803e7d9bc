// T5-TARGET-016
// section: 9.7.13.12
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_110a", "9.0">} {
  ptx.kernel @example(%f : f32, %mask : i32) {
    %d = ptx.redux.sync max f32 %f, %mask
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
  ptx.kernel @example(%f : f32, %mask : i32) {
    %d = ptx.redux.sync max f32 %f, %mask
    ptx.ret
  }
}
