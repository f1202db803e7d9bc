// T5-PTX-032
// section: 9.7.9.11
// subject: registers that st moves
// statement: The number of registers that st moves is a power of two; the state space limits their
//     total size.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a power of two of registers, with at most {wide_bits} bits in global memory, and fewer
//     bits elsewhere

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.st global b32 [%p], {%x, %x, %x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32) {
  ptx.st global b32 [%p], {%x, %x, %x, %x}
  ptx.ret
}
