// T5-PTX-240
// section: 9.7.9.14
// subject: registers of multimem.ld_reduce
// statement: multimem.ld_reduce has one register of an integer type, and 32, 64 or 128 bits of a
//     floating-point type.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a vector of a legal size

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  %v:2 = ptx.multimem.ld_reduce add u32 [%p] -> 2 x i32
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  %v = ptx.multimem.ld_reduce add u32 [%p] -> i32
  ptx.ret
}
