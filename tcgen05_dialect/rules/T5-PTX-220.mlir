// T5-PTX-220
// section: 9.7.9.12
// subject: registers that st.async stores
// statement: An asynchronous store has one, two or four registers, and at most 128 bits.
// why: The instruction has no other forms; ptxas refuses them.
// fix: store fewer registers

ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  ptx.st.async b64 [%to], {%d, %d, %d, %d}, [%full]
  ptx.ret
}

// -----

ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  ptx.st.async b64 [%to], {%d, %d}, [%full]
  ptx.ret
}
