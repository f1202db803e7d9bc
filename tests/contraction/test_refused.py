"""Tests of functions of which no kernel can be made: an error at the operation."""

import pytest

from tcgen05_dialect import CompileError, Source
from tcgen05_dialect.compiler import lower_tensors, parse

SQUARE = "tensor<4x8xf32>"
MODULES = {
    "unranked": ("^func.func @f(%x: tensor<*xf32>) {return}", "must have static shapes"),
    "four bits": (
        "^func.func @f(%x: tensor<4xf4E2M1FN>) -> tensor<4xf32> {return}",
        "must have 1, 8, 16 or 32 bits",
    ),
    "two results": (
        """func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
          %z = linalg.map ins(%x : tensor<4xi32>) outs(%x : tensor<4xi32>) (%a: i32, %b: i32) {
            %s, %c = ^arith.addui_extended %a, %a : i32, i1
            linalg.yield %s : i32 }
          return %z : tensor<4xi32> }""",
        "no kernel can be made of this operation",
    ),
    "large": (
        "^func.func @f(%x: tensor<65536x32768xi8>) -> tensor<4xf32> {return}",
        "tensors must have fewer than 2147483648 elements",
    ),
    "float": (
        "^func.func @f(%x: tensor<4xf8E5M2FNUZ>) -> tensor<4xf32> {return}",
        "kernels do not compute with f8E5M2FNUZ",
    ),
    "places": (
        """func.func @f(%x: tensor<4x8xf32>) -> tensor<4x4xf32> {
          %i = arith.constant 2 : index
          %y = ^tensor.extract_slice %x[0, %i] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
          return %y : tensor<4x4xf32> }""",
        "offsets must be 2 constants",
    ),
    "memref": (
        """^func.func @f(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
          linalg.exp ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>)
          return }""",
        "must be tensors; found memref<4x8xf32>",
    ),
    "no result": ("^func.func @f(%x: tensor<4xf32>) {return}", "must return tensors"),
    "blocks": ("^func.func @f(%x: tensor<4xf32>) {cf.br ^a ^a: return}", "must have one block"),
    "declared": (
        """func.func private @g(tensor<4xf32>) -> tensor<4xf32>
        func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
          %y = ^func.call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
          return %y : tensor<4xf32> }""",
        "must have one block",
    ),
    "recursive": (
        """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
          %y = ^func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
          return %y : tensor<4xf32> }""",
        "@f calls itself",
    ),
    "axis": (
        """func.func @f(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
          %z = ^linalg.reduce ins(%x : tensor<4x8xf32>) outs(%y : tensor<4xf32>) dimensions = [7]
            (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32  linalg.yield %s : f32 }
          return %z : tensor<4xf32> }""",
        "the dimensions must be distinct numbers from 0 to 1; found [7]",
    ),
    "yields no sum": (
        """func.func @f(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
          %z = ^linalg.reduce ins(%x : tensor<4x8xf32>) outs(%y : tensor<4xf32>) dimensions = [1]
            (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32  linalg.yield %a : f32 }
          return %z : tensor<4xf32> }""",
        "the body of a reduction must be an operation on an output",
    ),
    "truth values": (
        """func.func @f(%x: tensor<4x8xi1>, %y: tensor<4xi1>) -> tensor<4xi1> {
          %z = ^linalg.reduce { arith.maxui } ins(%x : tensor<4x8xi1>) outs(%y : tensor<4xi1>)
            dimensions = [1]
          return %z : tensor<4xi1> }""",
        "the reduction must be a sum, a product, a maximum or a minimum",
    ),
    "output twice": (
        """func.func @f(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
          %z = ^linalg.reduce ins(%x : tensor<4x8xf32>) outs(%y : tensor<4xf32>) dimensions = [1]
            (%a: f32, %b: f32) { %c = arith.mulf %a, %b : f32
              %s = arith.addf %b, %c : f32  linalg.yield %s : f32 }
          return %z : tensor<4xf32> }""",
        "the body of a reduction must use its output once",
    ),
    "permutation": (
        """func.func @f(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
          %z = ^linalg.transpose ins(%x : tensor<4x8xf32>) outs(%y : tensor<8x4xf32>)
            permutation = [1, 2]
          return %z : tensor<8x4xf32> }""",
        "the dimensions must be distinct numbers from 0 to 1; found [1, 2]",
    ),
    "elements": (
        """func.func @f(%x: tensor<4x8xf32>) -> tensor<5xf32> {
          %y = ^tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<5xf32>
          return %y : tensor<5xf32> }""",
        "the number of elements must be the same; found [4, 8] and [5]",
    ),
    "outside": (
        """func.func @f(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
          %z = ^linalg.generic {indexing_maps = [affine_map<(i) -> (i * 5)>,
            affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
            ins(%x : tensor<4xf32>) outs(%y : tensor<8xf32>) {
          ^a(%a: f32, %b: f32):
            linalg.yield %a : f32
          } -> tensor<8xf32>
          return %z : tensor<8xf32> }""",
        "the indices of a dimension must be 0 to 3; found 0 to 35",
    ),
}
STABLEHLO = {
    '"stablehlo.add"(%x, %x)': "the result must have the shape [4, 8]; found tensor<9x9xf32>",
    '"stablehlo.transpose"(%x) {permutation = array<i64: 1, 5>}': "must be of 2 dimensions",
    '"stablehlo.slice"(%x) {start_indices = array<i64: 0>, strides = array<i64: 1, 1>}': (
        "start_indices must have 2 numbers; found 1"
    ),
    '"stablehlo.slice"(%x) {start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}': (
        "the indices of a dimension must be 0 to 3; found 1 to 9"
    ),
    '"stablehlo.reshape"(%x)': "the number of elements must be the same",
    '"stablehlo.add"(%x, %x, %x)': "the number of operands must be 2; found 3",
    '"stablehlo.erf"(%x, %x)': "the number of operands must be 1; found 2",
    '"stablehlo.reshape"(%x, %x)': "the number of operands must be 1; found 2",
    '"stablehlo.dot_general"(%x, %x) {dot_dimension_numbers = #stablehlo.dot<'
    "lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}": (
        "the dimensions must be distinct numbers from 0 to 1; found [2]"
    ),
    '"stablehlo.known"(%x)': "no kernel can be made of this operation",
    '"stablehlo.fold"(%x)': "no kernel can be made of this operation",
    '"stablehlo.dot_general"(%x, %x)': "dot_dimension_numbers is missing",
    '"stablehlo.dot_general"(%x, %x) {dot_dimension_numbers = 3 : i32}': (
        "dot_dimension_numbers must be a stablehlo.dot; found 3 : i32"
    ),
}


def check_refused(text: str, sentence: str) -> None:
    """Compare the error for a text, at its first `^` that stands before an operation."""
    at = text.index("^")
    source = Source("it.mlir", text[:at] + text[at + 1 :])
    with pytest.raises(CompileError) as caught:
        lower_tensors(parse(source)[0], source)
    (finding,) = caught.value.findings
    assert finding.rule == "T5-TENSOR-001"
    assert sentence in finding.message
    assert (finding.line, finding.column) == source.place(at)


@pytest.mark.parametrize("name", MODULES)
def test_linalg(name: str) -> None:
    check_refused(*MODULES[name])


@pytest.mark.parametrize("operation", STABLEHLO)
def test_stablehlo(operation: str) -> None:
    count = operation.count("%x")
    type_ = f"({', '.join(count * [SQUARE])}) -> tensor<9x9xf32>"
    text = f"func.func @f(%x: {SQUARE}) -> tensor<9x9xf32> {{\n  %y = ^{operation} : {type_}\n"
    check_refused(f"{text}  func.return %y : tensor<9x9xf32>\n}}", STABLEHLO[operation])
