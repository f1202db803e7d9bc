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
