// T5-PTX-031
// section: 9.7.9.8
// subject: registers that ld moves
// statement: The number of registers that ld moves is a power of two; the state space limits their
//     total size.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a power of two of registers, with at most {wide_bits} bits in global memory, and fewer
//     bits elsewhere

ptx.kernel @example(%p : i64) {
  %v:3 = ptx.ld global b32 [%p] -> 3 x i32
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64) {
  %v:4 = ptx.ld global b32 [%p] -> 4 x i32
  ptx.ret
}
