// T5-TENSOR-001
// section: 9.7.16.2.1
// subject: function of tensors
// statement: A function of tensors has static shapes, elements of at most 32 bits, and operations
//     of which kernels can be made: contractions of types that tensor cores multiply, elementwise
//     operations, layouts, and reductions along rows.
// why: A kernel has tiles of fixed extents, and registers of 32 bits.
// fix: use other operations, shapes or types; docs/tensors.md lists them

func.func @example(%a : tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  func.return %a : tensor<?x64xbf16>
}

// -----

func.func @example(%a : tensor<32x64xbf16>) -> tensor<32x64xbf16> {
  func.return %a : tensor<32x64xbf16>
}
