// T5-PTX-221
// section: 9.7.9.12
// subject: scope of an asynchronous store to global memory
// statement: An asynchronous store or reduction in global memory has the scope gpu or sys; with
//     mmio it has sys.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use the scope gpu or sys; with mmio, use sys

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
  ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
    ptx.st.async.global mmio release gpu global b32 [%g], %x
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
  ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
    ptx.st.async.global mmio release sys global b32 [%g], %x
    ptx.ret
  }
}
