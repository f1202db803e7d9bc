func.func @sorted(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %y = "stablehlo.sort"(%x) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    func.return %y : tensor<8x16xf32>
}
