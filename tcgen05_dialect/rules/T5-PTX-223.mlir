ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  %odd = ptx.constant 60 : i64
  %even = ptx.constant 64 : i64
  ptx.st.bulk [%to], %odd
  ptx.ret
}

// -----

ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  %odd = ptx.constant 60 : i64
  %even = ptx.constant 64 : i64
  ptx.st.bulk [%to], %even
  ptx.ret
}
