// T5-PTX-247
// section: 9.7.9.14
// subject: operation of multimem.red
// statement: The operation of multimem.red determines its legal types; only add takes
//     floating-point types.
// why: The manual has no other forms.
// fix: use a type that the operation allows

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.red and u32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %x : i32, %d : i64) {
  ptx.multimem.red and b32 [%p], {%x}
  ptx.ret
}
