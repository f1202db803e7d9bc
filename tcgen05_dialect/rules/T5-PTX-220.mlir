ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  ptx.st.async b64 [%to], {%d, %d, %d, %d}, [%full]
  ptx.ret
}

// -----

ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  ptx.st.async b64 [%to], {%d, %d}, [%full]
  ptx.ret
}
