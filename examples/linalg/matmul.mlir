// A matrix product of bf16 matrices with a bias and relu: linalg on tensors, as MLIR writes it.
// `tcgen05 compile` makes one kernel of it, with tiles, roles and rings.

#rows_columns = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>

func.func @matmul(%a: tensor<200x264xbf16>, %b: tensor<264x320xbf16>, %bias: tensor<320xf32>)
    -> tensor<200x320xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<200x320xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<200x320xf32>) -> tensor<200x320xf32>
  %product = linalg.matmul ins(%a, %b : tensor<200x264xbf16>, tensor<264x320xbf16>)
      outs(%start : tensor<200x320xf32>) -> tensor<200x320xf32>
  %out = tensor.empty() : tensor<200x320xbf16>
  %result = linalg.generic {
      indexing_maps = [#rows_columns, #columns, #rows_columns],
      iterator_types = ["parallel", "parallel"]}
      ins(%product, %bias : tensor<200x320xf32>, tensor<320xf32>)
      outs(%out : tensor<200x320xbf16>) {
  ^bb0(%x: f32, %y: f32, %_: bf16):
    %sum = arith.addf %x, %y : f32
    %relu = arith.maximumf %sum, %zero : f32
    %rounded = arith.truncf %relu : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<200x320xbf16>
  func.return %result : tensor<200x320xbf16>
}
