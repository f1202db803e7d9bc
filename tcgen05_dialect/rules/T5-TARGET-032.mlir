// T5-TARGET-032
// section: 9.7.9.25.4.2
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.3">} {
  ptx.kernel @example(%to : i64, %from : i32, %size : i32) {
    ptx.cp.reduce.async.bulk.store add noftz f32 [%to], [%from], %size
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.4">} {
  ptx.kernel @example(%to : i64, %from : i32, %size : i32) {
    ptx.cp.reduce.async.bulk.store add noftz f32 [%to], [%from], %size
    ptx.ret
  }
}
