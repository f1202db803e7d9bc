// A batch that is not the outermost dimension.
func.func @batch(%a: tensor<40x3x64xbf16>, %b: tensor<3x64x32xbf16>) -> tensor<40x3x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<40x3x32xf32>
  %c = linalg.contract
      indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>, affine_map<(b, m, n, k) -> (b, k, n)>,
                       affine_map<(b, m, n, k) -> (m, b, n)>]
      ins(%a, %b : tensor<40x3x64xbf16>, tensor<3x64x32xbf16>)
      outs(%zero : tensor<40x3x32xf32>) -> tensor<40x3x32xf32>
  return %c : tensor<40x3x32xf32>
}
