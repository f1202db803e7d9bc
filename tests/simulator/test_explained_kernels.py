"""
Tests of the remarks that explain a wrong result, with other kernels than the examples: right ones,
in which nothing is the cause, and kernels with scale factors.
"""

import re
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.simulator import Launch, Report, TensorMap, simulate

from ..support.effort import sampled
from .test_explanations import Change, all_of, changed, same
from .test_pairs import NAMES, launch_of, text_of

SUMMING_TWICE = {
    "fence_of_another",
    "mma_pipelined",
    "scale_copies",
    "two_issuers",
    "without_fences",
}
"""Kernels that add the same product several times."""


@pytest.mark.slow
@pytest.mark.parametrize("kernel", sampled(NAMES, 5))
def test_right_kernels_have_no_cause(kernel: str) -> None:
    """With one element expected otherwise, nothing in a right kernel is said to be the cause."""
    launch, expected = launch_of(kernel), dict[int, Any]()
    for number, argument in enumerate(launch.arguments):
        array = argument.array if isinstance(argument, TensorMap) else argument
        for name, content in launch.results.items():
            if np.shares_memory(array, launch.arrays[name]):
                other = content.astype(launch.arrays[name].dtype)
                other.flat[-1] += other.dtype.type(1)
                expected[number] = other
    report = simulate(text_of(kernel), launch.arguments, Launch((launch.ctas,)), expected=expected)
    found = [each for each in report.remarks if "scale factors of A come from" not in each.message]
    if kernel in SUMMING_TWICE:
        assert all("it adds the product of" in each.message for each in found)
    else:
        assert not found


_COPY = r"tcgen05.cp shape_32x128b warpx4 %scales_{}, %source_{}"


def scaled(change: Change) -> Report:
    """Run a kernel with scale factors, changed, without its second half."""
    launch = launch_of("scale_copies")
    text = change(
        re.sub(
            r"^ *tcgen05.cp shape_32x128b warpx4 %scales_a, %source_b.*?\n.*?\n",
            "",
            text_of("scale_copies"),
            flags=re.MULTILINE,
        )
    )
    values = {name: array.astype(np.float32) for name, array in launch.arrays.items()}
    a, b = values["a"][:32] * values["scales_a"][:, :1], values["b"] * values["scales_b"][:8, :1]
    return simulate(text, launch.arguments, Launch((1,)), expected={4: a @ b.T})


def test_right_scale_factors() -> None:
    report = scaled(same)
    assert not report.errors
    assert not report.remarks


def test_exchanged_scale_factors() -> None:
    copies = (
        changed("%scales_a, %source_a", "%scales_a, %source_x"),
        changed("%scales_b, %source_b", "%scales_b, %source_a"),
    )
    report = scaled(all_of(*copies, changed("source_x", "source_b")))
    assert not report.errors
    assert re.fullmatch(
        r"tcgen05.mma.block_scale: scale factors of A come from %scales_b_map, by the copy at "
        r"line \d+, and scale factors of B come from %scales_a_map, by the copy at line \d+",
        report.remarks[0].message,
    )


def test_scale_factors_of_a_in_columns_of_b() -> None:
    report = scaled(changed(r"(%scales_b = tcgen05.slice %all)\[0, 12\]", r"\1[0, 8]"))
    # The second copy overwrites the first one.
    assert [each.rule for each in report.errors] == ["T5-SIM-014"]


def test_results_in_another_type() -> None:
    """An array of bits is compared in the type of its expected content."""
    kernel = """
    ptx.kernel @k(%c : i64) attributes {reqntid = array<i32: 32>} {
      %zero = arith.constant 0 : i32
      %at = ptx.cvta.to global %c
      %word = ptx.constant 1065369472 : i32
      ptx.st global b32 [%at], {%word}
      ptx.ret
    }
    """
    c = np.zeros(32, np.uint16)
    expected = np.zeros(32, ml_dtypes.bfloat16)
    expected[:2] = 1
    assert not simulate(kernel, [c], expected={0: expected}).remarks
    expected[2] = 1
    (remark,) = simulate(kernel, [c], expected={0: expected}).remarks
    assert (
        remark.message
        == "ptx.st: 1 of the 1 wrong elements of %c were never stored; they are %c[2]"
    )
