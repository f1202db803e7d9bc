// T5-PTX-242
// section: 9.7.9.14
// subject: registers of multimem.red
// statement: multimem.red has one register of an integer type, and 32, 64 or 128 bits of a
//     floating-point type.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a vector of a legal size

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.red add f16x2 [%p], {%x, %x, %x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.red add f16x2 [%p], {%x, %x}
  ptx.ret
}
