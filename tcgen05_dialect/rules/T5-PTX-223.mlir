// T5-PTX-223
// section: 9.7.9.13
// subject: size of st.bulk
// statement: st.bulk clears a multiple of {unit} bytes, at most {most}.
// why: The manual leaves other sizes undefined; ptxas refuses them.
// fix: clear a multiple of {unit} bytes, and the rest with st

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
