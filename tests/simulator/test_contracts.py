"""Tests of contracts on parameters, and of assumptions."""

from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.compiler import compile_to_ptx
from tcgen05_dialect.simulator import Launch, Report, TensorMap, simulate
from tcgen05_dialect.simulator.machine.errors import LaunchError

KERNEL = """
ptx.kernel @k(
    %map : !ptx.tensor_map {ptx.same_array = "a"},
    %a : i64 {ptx.same_array = "a", ptx.multiple_of = 4096},
    %k : i32 {ptx.at_least = 8, ptx.multiple_of = 8},
    %n : i32 {ptx.at_least = -2, ptx.at_most = 7}
) attributes {reqntid = array<i32: 32>} {
  %bits = arith.constant 4095 : i64
  %zero = arith.constant 0 : i64
  %rest = arith.andi %a, %bits : i64
  %aligned = arith.cmpi eq, %rest, %zero : i64
  ptx.assume %aligned
  ptx.ret
}
"""


def run(k: int = 8, n: int = 0, array: Any = None, other: Any = None) -> Report:
    array = np.zeros((4, 16), np.uint16) if array is None else array
    tensor_map = TensorMap.of(array, (16, 4))
    return simulate(KERNEL, [tensor_map, array if other is None else other, k, n], Launch())


@pytest.mark.parametrize(("k", "n"), [(8, 0), (16, -2), (1 << 30, 5), (8, (1 << 32) - 2)])
def test_contract_is_kept(k: int, n: int) -> None:
    assert run(k, n).findings == ()


@pytest.mark.parametrize(
    ("k", "n", "text"),
    [
        (0, 0, "argument 2 %k must be at least 8, as its contract at <string>:2 says; found 0"),
        (12, 0, "argument 2 %k must be a multiple of 8, as its contract at <string>:2 says"),
        (-8, 0, "argument 2 %k must be at least 8"),
        (8, 8, "argument 3 %n must be at most 7, as its contract at <string>:2 says; found 8"),
        (8, -3, "argument 3 %n must be at least -2"),
        (8, (1 << 32) - 3, "argument 3 %n (4294967293 as an unsigned number) must be at least -2"),
        (1 << 31, 0, "argument 2 %k (2147483648 as an unsigned number) must be at least 8"),
    ],
)
def test_number_breaks_the_contract(k: int, n: int, text: str) -> None:
    with pytest.raises(LaunchError) as caught:
        run(k, n)
    assert text in str(caught.value)


def test_other_array_breaks_the_contract() -> None:
    with pytest.raises(LaunchError, match="argument 1 %a must be of the array of argument 0 %map"):
        run(other=np.zeros((4, 16), np.uint16))


def test_views_of_an_array_are_the_same_array() -> None:
    array = np.zeros((4, 16), np.uint16)
    assert run(array=array, other=array.reshape(-1).view(np.uint8)).findings == ()


def test_view_of_a_part_is_another_array() -> None:
    array = np.zeros((4, 16), np.uint16)
    with pytest.raises(LaunchError, match="found another array"):
        run(array=array, other=array[:2])


def test_address_that_the_host_computes() -> None:
    kernel = KERNEL.replace('ptx.same_array = "a", ', "").replace(' {ptx.same_array = "a"}', "")
    array = TensorMap.of(np.zeros((4, 16), np.uint16), (16, 4))
    assert simulate(kernel, [array, 8192, 8, 0], Launch()).findings == ()
    with pytest.raises(LaunchError, match="argument 1 %a must be a multiple of 4096"):
        simulate(kernel, [array, 8192 + 16, 8, 0], Launch())


@pytest.mark.parametrize("factor", [3, 4096, (1 << 32) - 5, (1 << 62) + 1])
def test_arrays_are_placed_as_their_contract_says(factor: int) -> None:
    """An alignment too large for the emulator is refused, as any other broken contract."""
    parameters = f"%a : i64 {{ptx.multiple_of = {factor}}}, %b : i64 {{ptx.multiple_of = 7}}"
    attributes = "attributes {reqntid = array<i32: 32>}"
    kernel = f"ptx.kernel @k({parameters}) {attributes} {{ ptx.ret }}"
    arguments = [np.zeros(3, np.uint8), np.zeros(5, np.uint8)]
    if factor <= 4096:
        assert simulate(kernel, arguments, Launch()).findings == ()
    else:
        with pytest.raises(LaunchError, match="argument 0 %a must be a multiple of"):
            simulate(kernel, arguments, Launch())


def test_assumption_that_some_lanes_break() -> None:
    kernel = """
    ptx.kernel @k(%n : i32) attributes {reqntid = array<i32: 64>} {
      %thread = ptx.special_register tid.x
      %is_inside = arith.cmpi ult, %thread, %n : i32
      %c8 = arith.constant 8 : i32
      %is_first = arith.cmpi ult, %thread, %c8 : i32
      scf.if %is_first {
        ptx.assume %is_inside
      }
      ptx.ret
    }
    """
    assert simulate(kernel, [8], Launch()).findings == ()
    (finding,) = simulate(kernel, [5], Launch()).findings
    assert finding.rule == "T5-CONTRACT-002"
    assert "false in lane 5 of warp 0" in finding.message


def test_contracts_do_not_change_the_ptx() -> None:
    lines = KERNEL.split("\n")
    plain = "\n".join(lines[:2]) + "%map : !ptx.tensor_map, %a : i64, %k : i32, %n : i32\n"
    plain += "\n".join(lines[6:7]) + "\n  ptx.ret\n}"
    assert compile_to_ptx(KERNEL) == compile_to_ptx(plain)
