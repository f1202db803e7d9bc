// T5-PTX-241
// section: 9.7.9.14
// subject: registers of multimem.st
// statement: multimem.st has one register of an integer type, and 32, 64 or 128 bits of a
//     floating-point type.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a vector of a legal size

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.st u64 [%p], {%d, %d}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.st u64 [%p], {%d}
  ptx.ret
}
