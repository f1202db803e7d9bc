"""Tests of kernels of linalg: the emulator computes what numpy does."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tcgen05_dialect import Source
from tcgen05_dialect.compiler import lower_tensors, parse
from tcgen05_dialect.contraction.plan import bytes_of
from tcgen05_dialect.tensor_program import TensorProgram
from tcgen05_dialect.tools.main import main

from ..support.effort import EFFORT, sampled
from .linalg_programs import CASES, DTYPES, Case, row_sums

CHAIN = """
func.func @chain(%a: tensor<64x16xbf16>, %b: tensor<16x32xbf16>, %c: tensor<32x64xbf16>)
    -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<64x32xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<64x16xbf16>, tensor<16x32xbf16>)
    outs(%1 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %3 = arith.truncf %2 : tensor<64x32xf32> to tensor<64x32xbf16>
  %4 = tensor.empty() : tensor<64x64xf32>
  %5 = linalg.fill ins(%zero : f32) outs(%4 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %6 = linalg.matmul ins(%3, %c : tensor<64x32xbf16>, tensor<32x64xbf16>)
    outs(%5 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %6 : tensor<64x64xf32>
}
"""
TOLERANCES = {2: 1e-2, 4: 3e-3}
"""Bytes of an element -> the largest difference, as a part of the largest number."""


def lowered(case: Case) -> TensorProgram:
    """The kernels of a text."""
    source = Source("kernel.mlir", case.text)
    (program,) = lower_tensors(parse(source)[0], source)
    return TensorProgram(program)


def contents(case: Case) -> list[Any]:
    """Small numbers, of which every type represents all."""
    random = np.random.default_rng(0)
    return [random.integers(-4, 5, s).astype(DTYPES[type_]) for s, type_ in case.arguments]


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(sorted(CASES), 14))
def test_program(name: str) -> None:
    case = CASES[name]
    program, arrays = lowered(case), contents(case)
    found = program.emulate(*arrays).astype(np.float64)
    expected = case.expected(*(each.astype(np.float64) for each in arrays))
    tolerance = TOLERANCES[bytes_of(program.program.results[0].element)]
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= tolerance * np.abs(expected).max()
    assert {each.verdict for each in program.verify(EFFORT)} == {"verified"}


@pytest.mark.slow
def test_the_launch_file_of_several_kernels_computes_what_they_do(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kernel = tmp_path / "chain.mlir"
    kernel.write_text(CHAIN)
    launches = kernel.with_suffix(".toml")
    assert not main(["launch-file", str(kernel), "-o", str(launches)])
    # Sums of 16 products of -4 to 4 are exact in bf16.
    assert not main(["sim", str(kernel), "--expect", "result=(a @ b) @ c"])
    assert "as expected: result" in capfd.readouterr().out


TWO_RESULTS = """#map = affine_map<(i) -> (i)>
#trait = {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
func.func @both(%x: tensor<40xf32>) -> (tensor<40xf32>, tensor<40xf32>) {
  %a, %b = linalg.generic #trait ins(%x : tensor<40xf32>)
      outs(%x, %x : tensor<40xf32>, tensor<40xf32>) {
  ^bb0(%in: f32, %o: f32, %p: f32):
    %s = arith.addf %in, %p : f32
    linalg.yield %s, %in : f32, f32
  } -> (tensor<40xf32>, tensor<40xf32>)
  return %a, %b : tensor<40xf32>, tensor<40xf32>
}
"""


def test_generic_with_two_results() -> None:
    """Its attributes have an alias."""
    x = np.arange(40, dtype=np.float32)
    doubled, same = lowered(Case(TWO_RESULTS, (), row_sums)).emulate(x)
    assert (doubled == 2 * x).all()
    assert (same == x).all()
