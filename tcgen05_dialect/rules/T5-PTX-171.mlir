// T5-PTX-171
// section: 9.7.14.5.15
// subject: form of ldmatrix of bytes
// statement: ldmatrix of bytes loads one or two transposed matrices m16n16, two registers each, or
//     one, two or four packed matrices m8n16, one register each.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a shape, a format and a number of registers that go together

ptx.kernel @example(%a : i32) {
  %d = ptx.ldmatrix.b8 m16n16 x1 trans b8 [%a] -> i32
  ptx.ret
}

// -----

ptx.kernel @example(%a : i32) {
  %d:2 = ptx.ldmatrix.b8 m16n16 x1 trans b8 [%a] -> 2 x i32
  ptx.ret
}
