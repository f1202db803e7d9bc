// T5-TARGET-042
// section: 9.7.3.18
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or use sin or cos with radians

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.4">} {
  ptx.kernel @example(%turns : f32, %out : i64) {
    %sine = ptx.sin.turns ftz f32 %turns
    ptx.st global f32 [%out], {%sine}
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.5">} {
  ptx.kernel @example(%turns : f32, %out : i64) {
    %sine = ptx.sin.turns ftz f32 %turns
    ptx.st global f32 [%out], {%sine}
    ptx.ret
  }
}
