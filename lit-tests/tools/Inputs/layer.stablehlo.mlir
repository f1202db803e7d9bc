// The generic form, which needs no jaxlib.
func.func @layer(%x: tensor<64x128xbf16>, %w: tensor<128x96xbf16>) -> tensor<64x96xf32> {
  %y = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
    : (tensor<64x128xbf16>, tensor<128x96xbf16>) -> tensor<64x96xf32>
  %z = "stablehlo.logistic"(%y) : (tensor<64x96xf32>) -> tensor<64x96xf32>
  func.return %z : tensor<64x96xf32>
}
