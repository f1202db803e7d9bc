builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.2">} {
  ptx.kernel @example(%from : i64, %to : i32, %size : i32, %full : i32) {
    %most = ptx.constant 15 : i32
    %chunk = ptx.constant 16 : i32
    ptx.cp.async.bulk.load.ignore_oob [%to], [%from], %size, %chunk, %most, [%full]
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.2">} {
  ptx.kernel @example(%from : i64, %to : i32, %size : i32, %full : i32) {
    %most = ptx.constant 15 : i32
    %chunk = ptx.constant 16 : i32
    ptx.cp.async.bulk.load.ignore_oob [%to], [%from], %size, %most, %most, [%full]
    ptx.ret
  }
}
