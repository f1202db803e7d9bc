// T5-PTX-017
// section: 9.7.14.5.15, 9.7.14.5.16
// subject: number of matrices
// statement: ldmatrix and stmatrix move one, two or four matrices, each in one register.
// why: The instruction has no other forms; ptxas refuses them.
// fix: move one, two or four matrices at once

ptx.kernel @example(%a : i32, %v : i32) {
  ptx.stmatrix m8n8 [%a], {%v, %v, %v}
  ptx.ret
}

// -----

ptx.kernel @example(%a : i32, %v : i32) {
  ptx.stmatrix m8n8 [%a], {%v, %v, %v, %v}
  ptx.ret
}
