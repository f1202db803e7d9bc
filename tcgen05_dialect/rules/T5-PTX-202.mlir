// T5-PTX-202
// section: 9.7.9.25.4.1
// subject: bytes that a bulk copy may ignore
// statement: A bulk copy ignores fewer than {chunk_bytes} bytes at each end.
// why: The manual leaves other numbers undefined.
// fix: leave out whole chunks of {chunk_bytes} bytes, and ignore only the rest

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
