// T5-TARGET-031
// section: 9.7.9.25.4.1
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.1">} {
  ptx.kernel @example(%from : i64, %to : i32, %size : i32, %full : i32) {
    %c1 = ptx.constant 1 : i32
    ptx.cp.async.bulk.load.ignore_oob [%to], [%from], %size, %c1, %c1, [%full]
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.2">} {
  ptx.kernel @example(%from : i64, %to : i32, %size : i32, %full : i32) {
    %c1 = ptx.constant 1 : i32
    ptx.cp.async.bulk.load.ignore_oob [%to], [%from], %size, %c1, %c1, [%full]
    ptx.ret
  }
}
